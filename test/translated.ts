/**
 * Replaces every text below a node by `font` elements with the same text, as Chrome's page translation does; what is translated already stays. Needs nothing around it,
 * so that it can be sent to a browser.
 */
export function translate(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node: Node | null = root; node !== null; node = walker.nextNode()) if (node instanceof Text) texts.push(node);
  for (const text of texts) {
    if (text.data.trim() === "" || text.parentElement?.closest("font, script, style, noscript, svg") !== null) continue;
    const translation = document.createElement("font");
    translation.append(document.createElement("font"));
    translation.firstElementChild?.append(text.data);
    text.replaceWith(translation);
  }
}
