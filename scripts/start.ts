/** `npm start`: builds the site if it is out of date, then serves everything on one port. */
import { run } from "./run.ts";
import { isBuilt, markBuilt } from "./stamp.ts";

if (!isBuilt()) {
  console.log("Building …");
  const { code } = await run(process.execPath, ["scripts/build.ts"], { show: true });
  if (code !== 0) process.exit(1);
  markBuilt();
}
await import("../src/main.ts");
