/** Why the program did not start, in sentences for whoever started it: what is wrong, and what to do. */
import { EnvError, dataFolderProblem } from "#server/env.ts";
import type { Settings } from "#server/base/settings.ts";
import { StoreUnavailable } from "#server/store/store.ts";

const sqlite = { busy: 5, locked: 6, readOnly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const;

function sqliteSentence(code: number, file: string): string | null {
  switch (code & 0xff) {
    case sqlite.busy:
    case sqlite.locked:
      return `${file} is locked by another program: end it, or give each its own DATA_DIR.`;
    case sqlite.corrupt:
    case sqlite.notADatabase:
      return `${file} is damaged or not a database: restore it from a backup, or move it away to start with an empty one.`;
    case sqlite.full:
      return `The disk of ${file} is full: make room and start again.`;
    case sqlite.readOnly:
    case sqlite.ioError:
    case sqlite.cannotOpen:
      return `${file} cannot be written: DATA_DIR must be a folder that this program may write to.`;
    default:
      return null;
  }
}

const withoutPassword = (url: string): string => {
  const { host, pathname } = new URL(url);
  return host + pathname;
};

function postgresSentence(code: string, url: string): string | null {
  const place = withoutPassword(url);
  switch (code) {
    case "28P01":
    case "28000":
      return `The database at ${place} refuses the user or the password of DATABASE_URL.`;
    case "3D000":
      return `There is no database at ${place}: create it, or name another one in DATABASE_URL.`;
    case "42501":
      return `The user of DATABASE_URL may not create tables at ${place}: grant it the right.`;
    default:
      return null;
  }
}

function systemSentence(code: string, { port, host, dataDir }: Settings): string | null {
  switch (code) {
    case "EADDRINUSE":
      return `The port ${port} is in use already: set PORT to another one.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST must be an address of this machine, but is "${host}".`;
    default:
      return dataFolderProblem(code, dataDir);
  }
}

/** The port is refused. Checked before the data folder, because both fail with EACCES. */
function listenSentence(error: Error, { port }: Settings): string | null {
  return "syscall" in error && error.syscall === "listen" && "code" in error && error.code === "EACCES"
    ? `This user may not listen on port ${port}: set PORT to one above 1023.`
    : null;
}

/** @param settings null when they could not be read */
export function sentencesOf(error: unknown, settings: Settings | null): readonly string[] {
  if (error instanceof EnvError) return error.sentences;
  if (!(error instanceof Error)) return [String(error)];
  if (settings === null) return [error.message];
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const found =
    ("errcode" in error && typeof error.errcode === "number"
      ? sqliteSentence(error.errcode, `${settings.dataDir}/parlando.sqlite`)
      : null) ??
    (error instanceof StoreUnavailable && settings.databaseUrl !== null
      ? `The database at ${withoutPassword(settings.databaseUrl)} does not answer: start it, or mend DATABASE_URL.`
      : null) ??
    (settings.databaseUrl === null ? null : postgresSentence(code, settings.databaseUrl)) ??
    listenSentence(error, settings) ??
    systemSentence(code, settings);
  return [found ?? error.message];
}
