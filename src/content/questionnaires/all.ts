/** All versions (spec 000 §9), one line each. */
export { v69 } from "./v69.ts";
export { v73 } from "./v73.ts";
export { v76 } from "./v76.ts";
export { v78 } from "./v78.ts";
export { v79 } from "./v79.ts";
export { v82 } from "./v82.ts";
export { v83 } from "./v83.ts";
export { v84 } from "./v84.ts";
export { v85 } from "./v85.ts";
export { v86 } from "./v86.ts";
export { v87 } from "./v87.ts";
export { v88 } from "./v88.ts";
export { v89 } from "./v89.ts";
export { v90 } from "./v90.ts";
export { v91 } from "./v91.ts";
export { ai } from "./ai.ts";
export { aimx } from "./aimx.ts";
