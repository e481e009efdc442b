/**
 * The only rule for ignoring mutants: texts of log entries and the detail of a QuestionnaireError (its question) are for operators. No specification
 * fixes them, and a test would only repeat them.
 */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly arguments?: readonly unknown[];
}
interface Path {
  readonly node: Node;
  readonly parent: Node | null;
}

function areForOperators({ node, parent }: Path): boolean {
  if (parent?.arguments === undefined || !parent.arguments.includes(node)) return false;
  const { callee } = parent;
  if (parent.type === "NewExpression") return callee?.name === "QuestionnaireError" && parent.arguments[1] === node;
  return (
    parent.type === "CallExpression" && callee?.object?.name === "log" && ["info", "warn", "error"].includes(callee.property?.name ?? "")
  );
}

export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "operators' words",
    value: { shouldIgnore: (path: Path) => (areForOperators(path) ? "words for the operator" : undefined) },
  },
];
