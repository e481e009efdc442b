/** A path with its query (`URLSearchParams`), if it has one. Safari 16, which the build targets, lacks `URLSearchParams.size`. */
export function withQuery(path: string, query: { readonly toString: () => string }): string {
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}
