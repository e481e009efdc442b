/** The folder table of ARCHITECTURE.md as rules: a folder in the left column may import only the folders in its right column. */
const tests = "\\.(test|browser\\.test)\\.tsx?$|conformance|examples\\.ts$";
/** The folders of the server, lowest first: each may import only itself and those before it. Files of `src/server` itself may import all of them. */
const serverRooms = [
  "base",
  "store",
  "events",
  "releases",
  "mail",
  "conversions",
  "payments",
  "accounts",
  "handlers/shared",
  "handlers",
  "studio",
];
const upTo = (room) => serverRooms.slice(0, serverRooms.indexOf(room) + 1);
const serverRules = serverRooms.map((room) => ({
  name: `server-${room}`,
  severity: "error",
  from: { path: `^src/server/${room}/`, pathNot: `${tests}${room === "handlers" ? "|^src/server/handlers/shared/" : ""}` },
  to: { path: "^src/server/", pathNot: `^src/server/(${upTo(room).join("|")})/` },
}));
/** The folders of the site, lowest first: each may import only itself and those before it. */
const webRooms = ["device", "api", "session", "payment", "shell", "account", "outside", "analytics", "browser", "pages"];
/** Files of `src/web` itself that its folders may import. Only `shell` and the folders after it may import those of `webSite`. */
const webWords = ["clientConfig", "listeners", "navigation", "readable", "clicks", "laterContents", "persistently"];
const webSite = ["services", "siteContext", "place", "page", "newBuild", "questionnaireModule"];
const webRules = webRooms.map((room, level) => {
  const files = level < webRooms.indexOf("shell") ? webWords : [...webWords, ...webSite];
  return {
    name: `web-${room}`,
    severity: "error",
    from: { path: `^src/web/${room}/`, pathNot: tests },
    to: { path: "^src/web/", pathNot: `^src/web/((${webRooms.slice(0, level + 1).join("|")})/|(${files.join("|")})\\.tsx?$)` },
  };
});
const allow = (name, from, to, packages) => ({
  name,
  severity: "error",
  from: { path: from, pathNot: tests },
  to: { pathNot: [...to, ...packages.map((one) => `node_modules/${one}(/|$)`)].join("|") },
});

export default {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    ...serverRules,
    ...webRules,
    { name: "not-to-tests", severity: "error", from: { pathNot: `${tests}|^test/` }, to: { path: "\\.test\\.tsx?$|^test/" } },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true, pathNot: "^virtual:" } },
    allow("core", "^src/core/", ["^src/core/"], ["valibot"]),
    allow("ui", "^src/ui/", ["^src/ui/", "^src/core/"], ["react", "react-dom", "lucide-react", "@types/react", "@fontsource-variable"]),
    allow(
      "block-specs",
      "^src/blocks/([^/]+/spec|[^/]+\\.spec|specs|block|contents|allContents)\\.ts$",
      ["^src/core/", "^src/blocks/([^/]+\\.spec|block|contents|allContents|specs)\\.ts$", "^src/blocks/[^/]+/spec\\.ts$"],
      ["valibot"],
    ),
    allow(
      "block-views",
      "^src/blocks/([^/]+/|[^/]+\\.)view\\.tsx$",
      ["^src/core/", "^src/ui/", "^src/blocks/([^/]+\\.spec|block|view)\\.ts$", "^src/blocks/[^/]+\\.view\\.tsx$", "^src/blocks/[^/]+/"],
      ["react", "@types/react"],
    ),
    {
      name: "a-block-never-knows-another",
      severity: "error",
      from: { path: "^src/blocks/([^/]+)/", pathNot: tests },
      to: { path: "^src/blocks/[^/]+/", pathNot: "^src/blocks/$1/" },
    },
    allow(
      "content",
      "^src/content/",
      [
        "^src/content/",
        "^src/core/",
        "^crypto$",
        "^src/blocks/(specs|block|bundled|contents|allContents|[^/]+/spec)\\.ts$",
        "^src/ui/iconNames\\.ts$",
      ],
      ["valibot", "@formatjs", "marked"],
    ),
    { name: "web", severity: "error", from: { path: "^src/web/" }, to: { path: "^src/(server|standins|studio)/" } },
    { name: "studio", severity: "error", from: { path: "^src/studio/", pathNot: tests }, to: { path: "^src/(web|server|standins)/" } },
    allow("studio-contract", "^src/studio/contract(/|\\.ts$)", ["^src/studio/contract(/|\\.ts$)", "^src/core/"], ["valibot"]),
    {
      name: "only-the-server-knows-the-studio",
      severity: "error",
      from: { path: "^src/(core|ui|blocks|content|standins)/" },
      to: { path: "^src/studio/" },
    },
    {
      name: "server",
      severity: "error",
      from: { path: "^src/server/", pathNot: tests },
      to: { path: "^src/(web|ui|standins)/|^src/studio/(?!contract)|^src/blocks/(?!specs|block|allContents|[^/]+/spec)" },
    },
    {
      name: "server-without-react",
      severity: "error",
      from: { path: "^src/server/", pathNot: `${tests}|^src/server/mail/templates/` },
      to: { path: "node_modules/react(-dom)?/" },
    },
    {
      name: "standins",
      severity: "error",
      from: { path: "^src/standins/", pathNot: tests },
      to: { path: "^src/(web|ui|server|content|blocks)/" },
    },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.css$|\\.json$|\\.sql$" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js"],
    },
  },
};
