/** A served page's metadata for search engines and messengers, and its mistakes. Takes a parsed document, so that tests can use it too. */
export interface Head {
  readonly status: number;
  readonly lang: string;
  readonly title: string;
  readonly description: string | null;
  /** Robots directives of the page and of the header. */
  readonly robots: readonly string[];
  readonly canonical: string | null;
  readonly alternates: readonly { readonly hreflang: string; readonly href: string }[];
  readonly image: string | null;
  /** Types in its JSON-LD. */
  readonly structured: readonly string[];
}

/** @param header the response's `x-robots-tag` */
export function headOf(page: Document, status: number, header: string | null): Head {
  const content = (selector: string) => page.querySelector(selector)?.getAttribute("content") ?? null;
  const robots = [content('meta[name="robots"]'), header === null ? null : `${header} (header)`];
  return {
    status,
    lang: page.documentElement.lang,
    title: page.title,
    description: content('meta[name="description"]'),
    robots: robots.filter((value) => value !== null),
    canonical: page.querySelector('link[rel="canonical"]')?.getAttribute("href") ?? null,
    alternates: [...page.querySelectorAll('link[rel="alternate"][hreflang]')].map((link) => ({
      hreflang: link.getAttribute("hreflang") ?? "",
      href: link.getAttribute("href") ?? "",
    })),
    image: content('meta[property="og:image"]'),
    structured: [...page.querySelectorAll('script[type="application/ld+json"]')].map(
      ({ textContent }) => /"@type":"(\w+)"/.exec(textContent ?? "")?.[1] ?? "not readable",
    ),
  };
}

/** Characters of a title and of a description that a results page shows. */
const longestTitle = 65;
const descriptionLength = { min: 50, max: 165 } as const;

interface Around {
  readonly indexable: boolean;
  readonly publicUrl: string;
  /** The metadata of the other addresses that have been read, by path. */
  readonly heads: ReadonlyMap<string, Head>;
}

/** One sentence per mistake. */
export function warningsOf(head: Head, { indexable, publicUrl, heads }: Around): readonly string[] {
  const warnings: string[] = [];
  if (head.status !== 200) warnings.push(`answers ${head.status}`);
  if (head.title === "") warnings.push("no title");
  if (head.title.length > longestTitle) warnings.push(`title of ${head.title.length} characters`);
  const noindex = head.robots.filter((value) => value.startsWith("noindex")).length;
  if (!indexable) {
    if (noindex !== 2) warnings.push("not for search engines, but does not say so in page and header");
    if (head.alternates.length > 0) warnings.push("names alternates, but is not for search engines");
    return warnings;
  }
  if (noindex > 0) warnings.push("indexable, but says noindex");
  const { min, max } = descriptionLength;
  if (head.description === null) warnings.push("no description");
  else if (head.description.length < min || head.description.length > max)
    warnings.push(`description of ${head.description.length} characters`);
  if (head.image === null) warnings.push("no picture to share");
  if (!head.alternates.some(({ href }) => href === head.canonical)) warnings.push("is not among its own alternates");
  if (!head.alternates.some(({ hreflang }) => hreflang === "x-default")) warnings.push("no x-default");
  for (const { href } of head.alternates) {
    const other = heads.get(href.slice(publicUrl.length));
    if (other !== undefined && !other.alternates.some((back) => back.href === head.canonical))
      warnings.push(`${href} does not name it back`);
  }
  for (const other of heads.values())
    if (other !== head && other.lang === head.lang && other.title === head.title && other.canonical !== head.canonical)
      warnings.push(`same title as ${other.canonical}`);
  return [...new Set(warnings)];
}
