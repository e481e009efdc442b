/** `npm start`: builds what is not built yet, then serves everything on one port. */
import { run } from "./run.ts";
import { isBuilt, markBuilt } from "./stamp.ts";

if (!isBuilt()) {
  console.log("Building …");
  const { code } = await run(process.execPath, ["scripts/build.ts"], { show: true });
  if (code !== 0) process.exit(1);
  markBuilt();
}
await import("../src/main.ts");
