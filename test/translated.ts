/** Replaces every text below an element by another one in `font` elements, as Chrome's page translation does. */
export function translate(element: Element): void {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) if (node instanceof Text) texts.push(node);
  for (const text of texts) {
    if (text.data.trim() === "") continue;
    const translation = document.createElement("font");
    translation.append(document.createElement("font"));
    translation.firstElementChild?.append(`«${text.data}»`);
    text.replaceWith(translation);
  }
}
