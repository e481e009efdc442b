import type { FormTexts } from "../../texts.ts";

/** The bank's question in place of the form (3-D Secure). @returns its panel, which can be answered once */
export function askBank(root: Element, texts: FormTexts, answered: (approved: boolean) => void): Element {
  const panel = document.createElement("div");
  panel.className = "challenge";
  const title = document.createElement("h2");
  const text = document.createElement("p");
  const approve = document.createElement("button");
  const reject = document.createElement("button");
  title.textContent = texts.challengeTitle;
  text.textContent = texts.challengeText;
  approve.textContent = texts.approve;
  reject.textContent = texts.reject;
  approve.type = reject.type = "button";
  reject.className = "quiet";
  panel.append(title, text, approve, reject);
  root.append(panel);
  approve.focus();
  const answer = (approved: boolean) => () => {
    approve.disabled = reject.disabled = true;
    answered(approved);
  };
  approve.addEventListener("click", answer(true));
  reject.addEventListener("click", answer(false));
  return panel;
}
