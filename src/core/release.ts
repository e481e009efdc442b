/** A version's release as visitors' pages and events name it: the first letters of the SHA-256 of its canonical JSON (decision 150). */

const letters = 12;

/** Query parameter of a page that is to come as this release, for a visitor who began on it. */
export const releaseParameter = "release";

export const releaseName = (hash: string): string => hash.slice(0, letters);

export const releaseNamePattern = new RegExp(`^[0-9a-f]{${letters}}$`);

/** Asks for a page as the studio's picture of it: framed by the studio alone, without its scripts, and drawn as if they ran. */
export const pictureQuery = "picture";
