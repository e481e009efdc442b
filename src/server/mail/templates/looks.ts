/**
 * The colours of mails, by theme. Mail programs know no CSS variables: templates use the colours of `parlando`, and `wear` replaces them.
 */
import type { Theme } from "#core/questionnaire/definition.ts";

const parlando = {
  page: "#FAF7F2",
  surface: "#FFFFFF",
  text: "#1B1F3B",
  quiet: "#5A5F7D",
  line: "#E6DED1",
  primary: "#4A3AFF",
  onPrimary: "#FFFFFF",
  accent: "#FF6B4A",
} as const;
export const colours = parlando;
type Colours = Readonly<Record<keyof typeof parlando, string>>;

/** As in `ui/tokens.css`. */
export const looks: Readonly<Record<Theme, Colours>> = {
  parlando,
  HablaIngles: {
    page: "#F4F9FF",
    surface: "#FFFFFF",
    text: "#10263D",
    quiet: "#51657A",
    line: "#D5E3F1",
    primary: "#0B6BCB",
    onPrimary: "#FFFFFF",
    accent: "#FFB020",
  },
  Kosmo: {
    page: "#0E1020",
    surface: "#181B33",
    text: "#F3F1FF",
    quiet: "#B5B3D6",
    line: "#2E3258",
    primary: "#8B7BFF",
    onPrimary: "#0E1020",
    accent: "#3DE0C8",
  },
};

const names = Object.keys(parlando) as readonly (keyof Colours)[];

/** A style declaration in a theme's colours. */
const recoloured = (declaration: string, theme: Theme): string =>
  declaration.replaceAll(/#[\da-f]{6}\b/gi, (colour) => {
    const matching = names.filter((name) => parlando[name] === colour.toUpperCase());
    // White has two names: as a text colour it is a button's label, elsewhere a surface.
    const name = matching.find((one) => (one === "onPrimary") === declaration.trim().startsWith("color:")) ?? matching[0];
    return name === undefined ? colour : looks[theme][name];
  });

/** Replaces the mail's colours by a theme's. Only style attributes are changed, so text that a visitor typed stays. */
export const wear = (html: string, theme: Theme): string =>
  html.replaceAll(/ style="[^"]*"/g, (style) =>
    style
      .split(/(?<=[;"])/)
      .map((declaration) => recoloured(declaration, theme))
      .join(""),
  );
