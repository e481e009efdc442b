/** The apps that open our links (universal links, app links). If empty, the site serves no association file. */
export interface AppLinks {
  /** `TEAMID.bundle.id` */
  readonly appleAppIds: readonly string[];
  readonly android: { readonly packageName: string; readonly fingerprints: readonly string[] } | null;
}
export const noAppLinks: AppLinks = { appleAppIds: [], android: null };
