/**
 * Keeps a page alive that the browser translates. Chrome replaces each text by elements of its own, so React removes texts that are gone and inserts before them. Both
 * throw, and the page would be lost (https://github.com/facebook/react/issues/11538). Here such a removal does nothing, and such an insertion appends.
 */
export function bearTranslation(): void {
  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    return child.parentNode === this ? removeChild.call<Node, [T], T>(this, child) : child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    return insertBefore.call<Node, [T, Node | null], T>(this, node, before?.parentNode === this ? before : null);
  };
}
