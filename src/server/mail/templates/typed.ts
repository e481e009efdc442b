/** Text that somebody typed, quoted in a mail. Invisible joiners prevent mail programs from making links of it. */
export const typed = (text: string): string => text.replace(/[.:/@\\]/g, "$&\u2060");
