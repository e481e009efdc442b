/** Runs a command of the project and collects its output. */
import { spawn } from "node:child_process";

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Resolves even when the command fails: check `code`. `show` also prints the output as it comes. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly show?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...options.env }, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const collect = (target: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString();
      if (options.show) target.write(chunk);
    };
    child.stdout.on("data", collect(process.stdout));
    child.stderr.on("data", collect(process.stderr));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
