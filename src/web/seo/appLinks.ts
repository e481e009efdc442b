/** Which apps open our links by themselves; an empty list: there is no such app, and no file that says so. */
export interface AppLinks {
  /** `TEAMID.bundle.id` */
  readonly appleAppIds: readonly string[];
  readonly android: { readonly packageName: string; readonly fingerprints: readonly string[] } | null;
}
export const noAppLinks: AppLinks = { appleAppIds: [], android: null };
