/** Starts, kills, pauses and ends the programs of a drill, together with their child processes. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

export interface Program {
  /** @param env changes to the environment for this start */
  readonly start: (env?: Readonly<Record<string, string>>) => void;
  /** Kills the program and its descendants at once, like a power cut. */
  readonly kill: () => Promise<void>;
  /** Stops the program without ending it, as on a frozen machine. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Asks the program to end, and waits. @returns its exit code */
  readonly end: () => Promise<number | null>;
}

const programs: Program[] = [];
/** Kills all started programs, the last first, including paused ones. */
export async function killAll(): Promise<void> {
  for (const one of programs.splice(0).toReversed()) {
    one.resume();
    await one.kill();
  }
}

/** Wraps a command to run as the `postgres` user when we are root, for programs that refuse to run as root. */
const unprivilegedCall = (command: string, args: readonly string[]): readonly [string, readonly string[]] =>
  userInfo().uid === 0 ? ["setpriv", ["--reuid", "postgres", "--regid", "postgres", "--clear-groups", command, ...args]] : [command, args];

/** Runs a PostgreSQL command. @throws its output when it fails */
export function asPostgres(command: string, args: readonly string[]): void {
  const [called, given] = unprivilegedCall(command, args);
  const { status, stderr } = spawnSync(called, given, { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}

/** Pids of processes whose command line contains `words`. Finds daemons, which are no child processes. */
function calledWith(words: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").includes(words);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** A process and all its descendants, oldest first. */
function family(pid: number): readonly number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each)))
    try {
      const parent = Number(readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
      parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
    } catch {
      // It has ended meanwhile.
    }
  const all = [pid];
  for (const one of all) all.push(...(parents.get(one) ?? []));
  return all;
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
}

/**
 * @param log path of its log file
 * @param daemon words in the command line of the daemon that it starts
 */
export function program(
  command: string,
  args: readonly string[],
  {
    log,
    env = {},
    unprivileged = false,
    daemon = null,
  }: {
    readonly log: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly unprivileged?: boolean;
    readonly daemon?: string | null;
  },
): Program {
  let child: ChildProcess | null = null;
  const alive = () => child !== null && child.exitCode === null && child.signalCode === null;
  const all = () => {
    const own = child?.pid === undefined || !alive() ? [] : [child.pid];
    return [...new Set([...own, ...(daemon === null ? [] : calledWith(daemon))].flatMap((pid) => family(pid)))];
  };
  const made: Program = {
    start: (changes = {}) => {
      const [called, given] = unprivileged ? unprivilegedCall(command, args) : [command, args];
      const output = openSync(log, "a");
      child = spawn(called, given, { env: { ...process.env, ...env, ...changes }, stdio: ["ignore", output, output] });
    },
    kill: async () => {
      const pids = all();
      const gone = alive() && child ? once(child, "exit") : null;
      // Stops all of them first, because a parent that sees its child die would start another one.
      signal(pids, "SIGSTOP");
      signal([...new Set([...pids, ...all()])], "SIGKILL");
      await gone;
    },
    pause: () => signal(all(), "SIGSTOP"),
    resume: () => signal(all(), "SIGCONT"),
    end: async () => {
      if (!alive() || child === null) return child?.exitCode ?? null;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
      return child.exitCode;
    },
  };
  programs.push(made);
  return made;
}

/** Waits until `holds` is true. @throws when it is not within `seconds` */
export async function until(what: string, holds: () => Promise<boolean>, seconds = 120): Promise<void> {
  for (const began = Date.now(); Date.now() - began < seconds * 1_000; await sleep(100)) if (await holds().catch(() => false)) return;
  throw new Error(`${what}: not within ${seconds} s`);
}

/** The status of an address; 0 when nothing answers within two seconds. */
export async function statusOf(url: string): Promise<number> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status,
    () => 0,
  );
}
