/** What a mistyped address was probably meant to be. Apart from the rules (`validation.ts`), which the first question comes with. */

/** Mail domains that most visitors have; a near miss of one of them is likely a typing error. */
const commonDomains = [
  "gmail.com",
  "hotmail.com",
  "outlook.com",
  "yahoo.com",
  "icloud.com",
  "live.com",
  "hotmail.es",
  "yahoo.es",
  "outlook.es",
  "yahoo.com.mx",
  "yahoo.com.br",
  "hotmail.com.br",
  "uol.com.br",
  "bol.com.br",
  "terra.com.br",
  "libero.it",
  "hotmail.it",
  "yahoo.it",
  "virgilio.it",
  "tiscali.it",
  "gmx.de",
  "web.de",
  "t-online.de",
  "hotmail.de",
  "yahoo.de",
  "gmx.net",
  "googlemail.com",
];

/** Real ones that look like a slip of those. */
const knownDomains = ["mail.com", "email.com", "ymail.com", "gmx.at", "gmx.ch", "hotmail.se", "yahoo.se"];

/** The address as it was probably meant ("ana@gmial.com" → "ana@gmail.com"), or null when nothing is likely wrong. */
export function suggestEmail(email: string): string | null {
  const at = email.lastIndexOf("@");
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (at < 1 || domain.length < 5 || commonDomains.includes(domain) || knownDomains.includes(domain)) return null;
  const meant = commonDomains.find((common) => editDistance(domain, common) === 1);
  return meant === undefined ? null : `${email.slice(0, at)}@${meant}`;
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const cell = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, cell(i - 2, j - 2) + 1);
      const row = rows[i];
      if (row !== undefined) row[j] = best;
    }
  }
  return cell(a.length, b.length);
}
