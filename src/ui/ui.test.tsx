import type { PictureSource } from "#core/pictures.ts";
import { renderToStaticMarkup as draw } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Button } from "./Button.tsx";
import { isIconName } from "./Icon.tsx";
import { iconNames } from "./iconNames.ts";
import { Note } from "./Note.tsx";
import { OptionCard } from "./OptionCard.tsx";
import { Picture } from "./Picture.tsx";
import { ProgressBar } from "./ProgressBar.tsx";
import { RadioGroup } from "./RadioGroup.tsx";
import { richText, unbroken } from "./richText.tsx";
import { Sentence } from "./Sentence.tsx";
import { TimeLine } from "./TimeLine.tsx";

const nothing = () => {};

describe("Button", () => {
  it("is a link if it has an address, so that it works before the script has loaded", () => {
    expect(draw(<Button href="/es-latam/">Ir</Button>)).toMatch(/^<a href="\/es-latam\/"/);
    expect(draw(<Button>Ir</Button>)).toMatch(/^<button type="button"/);
  });

  it("ignores taps while busy or disabled", () => {
    expect(draw(<Button busy>Ir</Button>)).toMatch(/disabled="" aria-busy="true"/);
    expect(draw(<Button disabled>Ir</Button>)).toContain('disabled=""');
    expect(draw(<Button>Ir</Button>)).not.toContain("disabled");
  });
});

describe("richText", () => {
  it("keeps “e-mail” on one line, without changing the text", () => {
    const text = ["Per ", { tag: "b", parts: ["E-Mail"] }, " oder an deine E-Mail-Adresse"];
    expect(draw(richText(text))).toBe('Per <b><span class="nw">E-Mail</span></b> oder an deine <span class="nw">E-Mail-Adresse</span>');
    expect(draw(unbroken("un’e-mail"))).toBe('un’<span class="nw">e-mail</span>');
  });

  it("lets an address break before its domain, without changing the text", () => {
    const text = ["Escribimos a ", { tag: "b", parts: ["ana.lopez@example.com"] }, "."];
    expect(draw(richText(text))).toBe("Escribimos a <b>ana.lopez<wbr/>@example.com</b>.");
    expect(draw(unbroken("E-Mail an ana@example.com"))).toBe('<span class="nw">E-Mail</span> an ana<wbr/>@example.com');
  });

  it("keeps a Portuguese weekday, an amount and a paragraph of a law on one line", () => {
    expect(draw(unbroken("às terças-feiras"))).toBe('às <span class="nw">terças-feiras</span>');
    expect(draw(richText(["Hoje R$\u00a0478,80, depois"]))).toBe('Hoje <span class="nw">R$\u00a0478,80</span>, depois');
    expect(draw(unbroken("nach §§ 17600 ff."))).toBe('nach <span class="nw">§§ 17600</span> ff.');
    expect(draw(richText(["dann 1.058,38\u00a0€ im Jahr"]))).toBe('dann <span class="nw">1.058,38\u00a0€</span> im Jahr');
  });

  it("keeps them on one line in a note and in a time line too", () => {
    const word = '<span class="nw">E-Mail</span>';
    expect(draw(<Note icon="info">Wir bestätigen das per E-Mail.</Note>)).toContain(word);
    expect(draw(<TimeLine label="Termine" points={[{ when: "Heute", what: "Wir erinnern dich per E-Mail." }]} />)).toContain(word);
  });

  it("leaves texts without such a word and other values unchanged", () => {
    expect(richText(["Tu ", "correo"])).toBe("Tu correo");
    expect(unbroken(null)).toBeNull();
  });
});

describe("TimeLine", () => {
  it("breaks neither “e-mail” nor an amount across lines", () => {
    const markup = draw(<TimeLine label="Datas" points={[{ when: "Hoje", what: "Por e-mail: R$\u00a0179,70" }]} />);
    expect(markup).toContain('<span>Por <span class="nw">e-mail</span>: <span class="nw">R$\u00a0179,70</span></span>');
  });
});

describe("OptionCard", () => {
  it("is a link with an address and a button without one, and exposes whether it is chosen", () => {
    expect(draw(<OptionCard title="Sí" href="?a=2.1" chosen />)).toMatch(/^<a aria-current="true" href="\?a=2.1"/);
    expect(draw(<OptionCard title="Sí" chosen />)).toContain('aria-pressed="true"');
    expect(draw(<OptionCard title="Sí" role="radio" aria-checked />)).not.toContain("aria-pressed");
  });

  it("shows its key, and exposes it to screen readers as a shortcut", () => {
    const card = draw(<OptionCard title="Sí" keyHint="A" />);
    expect(card).toContain('aria-keyshortcuts="A"');
    expect(card).toMatch(/<kbd[^>]*aria-hidden="true">A<\/kbd>/);
    expect(draw(<OptionCard title="Sí" keyHint="A" chosen />)).not.toContain("<kbd");
  });
});

describe("Picture", () => {
  const source: PictureSource = { name: "dance", width: 128, height: 277, ext: "png", variants: ["tablet", "desktop"], locales: ["de-DE"] };

  it("offers webp and the original format in every variant, the widest first", () => {
    const markup = draw(<Picture source={source} locale="es-419" alt="" />);
    expect(
      [...markup.matchAll(/<source(?: media="([^"]+)")? type="([^"]+)" srcSet="([^",]+)/g)].map(([, media, type, src]) => [
        media,
        type,
        src,
      ]),
    ).toEqual([
      ["(min-width: 992px)", "image/webp", "/media/dance-desktop.webp"],
      ["(min-width: 992px)", "image/png", "/media/dance-desktop.png"],
      ["(min-width: 768px)", "image/webp", "/media/dance-tablet.webp"],
      ["(min-width: 768px)", "image/png", "/media/dance-tablet.png"],
      [undefined, "image/webp", "/media/dance.webp"],
    ]);
  });

  it("reserves its space, loads lazily unless it is the first, and follows the locale", () => {
    expect(draw(<Picture source={source} locale="de-DE" alt="Tanz" />)).toMatch(
      /<img src="\/media\/dance-de-DE.png"[^>]* alt="Tanz" width="128" height="277" loading="lazy"/,
    );
    expect(draw(<Picture source={source} locale="de-DE" alt="Tanz" eager />)).toContain('loading="eager"');
  });
});

describe("RadioGroup", () => {
  const stops = (chosen: string | undefined) =>
    [
      ...draw(
        <RadioGroup label="Planes" values={["a", "b", "c"]} chosen={chosen} onChoose={nothing}>
          {(value, radio) => <button key={value} {...radio} />}
        </RadioGroup>,
      ).matchAll(/tabindex="(-?\d)"/gi),
    ].map(([, stop]) => stop);

  it("has one tab stop: the chosen item, else the first", () => {
    expect(stops("b")).toEqual(["-1", "0", "-1"]);
    expect(stops(undefined)).toEqual(["0", "-1", "-1"]);
    expect(stops("gone")).toEqual(["0", "-1", "-1"]);
  });
});

describe("Sentence, ProgressBar and icon names", () => {
  it("places elements in the word order of the language", () => {
    const fill = ({ DATE, PRICE }: Readonly<Record<string, string>>) => `Am ${DATE} zahlst du ${PRICE}.`;
    expect(draw(<Sentence fill={fill} parts={{ PRICE: <b>5 €</b>, DATE: <i>1. Mai</i> }} />)).toBe(
      "Am <i>1. Mai</i> zahlst du <b>5 €</b>.",
    );
  });

  it("keeps progress between 0 and 100", () => {
    expect(draw(<ProgressBar percent={130} label="Progreso" />)).toContain('aria-valuenow="100"');
    expect(draw(<ProgressBar percent={-3} label="Progreso" />)).toContain('aria-valuenow="0"');
  });

  it("recognizes icon names, but no inherited property names", () => {
    expect(iconNames.every(isIconName)).toBe(true);
    expect(["toString", "__proto__", "", undefined, 3].some(isIconName)).toBe(false);
  });
});
