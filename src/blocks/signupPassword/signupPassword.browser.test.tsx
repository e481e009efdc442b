import { renderBlock } from "#test/renderBlock.tsx";
import { exampleFields, exampleSite } from "../exampleSite.ts";
import { expect, test } from "vitest";

const { signup, legalLinks } = exampleSite({ locale: "es-419", t: (key) => key, picture: () => null });
const content = { type: "signupPassword", label: "Elige una contraseña" } as const;

test("the password is hidden until the visitor shows it, and keeps its text", async () => {
  const block = await renderBlock(content, { site: { signup: { ...signup, fields: { ...exampleFields, password: "correcto caballo" } } } });
  expect(block.one("input").getAttribute("type")).toBe("password");
  await block.click(block.button("block.signupPassword.show"));
  expect(block.one("input").getAttribute("type")).toBe("text");
  await block.click(block.button("block.signupPassword.hide"));
  expect(block.one("input")).toMatchObject({ type: "password", value: "correcto caballo", autocomplete: "new-password" });
});

test("the consent is shown below it, with links to both documents", async () => {
  const links = (block: Awaited<ReturnType<typeof renderBlock>>) => block.all("a").map((link) => link.getAttribute("href"));
  const general = await renderBlock(content);
  expect(general.element.textContent).toContain("block.signupPassword.consent block.signupPassword.terms block.signupPassword.privacy");
  expect(links(general)).toEqual([legalLinks.terms, legalLinks.privacy]);
  const own = await renderBlock({ ...content, consent: "Al tocar “Acepto y continúo” das tu consentimiento." });
  expect(own.element.textContent).toContain("das tu consentimiento.");
  expect(own.element.textContent).not.toContain("block.signupPassword.consent");
  expect(links(own)).toEqual([legalLinks.terms, legalLinks.privacy]);
});
