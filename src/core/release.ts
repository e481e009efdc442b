/** The name of a version's release in pages and events: the first letters of the SHA-256 of its canonical JSON (decision 150). */

const nameLength = 12;

/** Query parameter that requests a page in this release, for a visitor who started in it. */
export const releaseParameter = "release";

export const releaseName = (hash: string): string => hash.slice(0, nameLength);

export const releaseNamePattern = new RegExp(`^[0-9a-f]{${nameLength}}$`);

/**
 * Query parameter of the studio's preview of a page: only the studio may frame it, no script is loaded, and everything is shown as after
 * hydration.
 */
export const pictureQuery = "picture";

/** Query parameters of a preview: the country (ISO 3166 alpha-2) and platform of the visitor whose page it shows. */
export const pictureParameters = ["country", "platform"] as const;
/** What their values look like. Any other value counts as missing. */
export const pictureValues: Readonly<Record<(typeof pictureParameters)[number], RegExp>> = {
  country: /^[A-Z]{2}$/,
  platform: /^(?:android|apple|other)$/,
};
