/** A path with its query, if it has one. Safari 16, which the build targets, lacks `URLSearchParams.size`. */
export function withQuery(path: string, query: URLSearchParams): string {
  const text = String(query);
  return text === "" ? path : `${path}?${text}`;
}
