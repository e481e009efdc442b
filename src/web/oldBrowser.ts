/**
 * The warning about an old system in browsers that cannot run our scripts, such as those of iOS 14 or lower (decision 226). The script in the page loads it when the others cannot run (`afterPaint.ts`). It has the oldest syntax.
 */
import { uiTexts } from "#content/texts/ui.ts";
import { locales } from "#core/locales.ts";
import { plainText } from "#core/text.ts";
import { androidVersion, appleVersions, frozenAndroid, oldest } from "./shell/oldSystem.ts";

export const oldBrowserPath = "/old-browser.js";

const words = () =>
  Object.fromEntries(
    locales.map((locale) => {
      const texts = uiTexts(locale);
      const keys = ["question.oldOs.title", "question.oldOs.text", "question.oldOs.go"] as const;
      return [locale, keys.map((key) => plainText(texts[key], {}, locale))];
    }),
  );

/** A script that shows the warning once, on the page that the first answer leads to. A browser without storage shows it while the address has one answer only. */
export const oldBrowserFile = (): string => `(function () {
  var agent = navigator.userAgent;
  var isApple = /iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && navigator.maxTouchPoints > 1);
  var version = isApple ? ${appleVersions.map((pattern) => `${String(pattern)}.exec(agent)`).join(" || ")} : !${String(frozenAndroid)}.test(agent) && ${String(androidVersion)}.exec(agent);
  var newest = isApple ? ${oldest.apple} : ${oldest.android};
  var answers = /[?&]a=([^&]*)/.exec(location.search);
  // Several scripts of a page may fail.
  if (document.getElementById("old-system") || !version || version[1] > newest || !answers) return;
  try {
    if (localStorage.getItem("oldOSWarning")) return;
    localStorage.setItem("oldOSWarning", "true");
  } catch (error) {
    if (/~|%7E/i.test(answers[1])) return;
  }
  function make(name, style, text, parent) {
    var element = document.createElement(name);
    element.style.cssText = style;
    element.appendChild(document.createTextNode(text));
    parent.appendChild(element);
    return element;
  }
  var words = ${JSON.stringify(words())}[document.documentElement.lang];
  var cover = make("div", "position:fixed;top:0;right:0;bottom:0;left:0;z-index:99;overflow:auto;padding:15vh 16px 16px;background:rgba(14,16,32,0.55)", "", document.body);
  var box = make("div", "max-width:420px;margin:0 auto;padding:24px;border-radius:24px;background:#fff;color:#1b1f3b", "", cover);
  var title = make("h2", "margin:0;font-size:22px;color:inherit", words[0], box);
  title.id = "old-system";
  make("p", "margin:12px 0 24px", words[1], box);
  var button = make("button", "width:100%;min-height:56px;border:0;border-radius:14px;background:#4a3aff;color:#fff;font:inherit;font-weight:700", words[2], box);
  box.setAttribute("role", "alertdialog");
  box.setAttribute("aria-modal", "true");
  box.setAttribute("aria-labelledby", title.id);
  button.type = "button";
  button.onclick = function () {
    document.body.removeChild(cover);
    var main = document.querySelector("main");
    if (main) main.focus();
  };
  button.focus();
})();
`;
