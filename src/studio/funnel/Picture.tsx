/** The real page of a screen in a frame. The sandbox runs no scripts, so the page records no visit. */
export function Picture({ src, title, lazy = false }: { readonly src: string; readonly title: string; readonly lazy?: boolean }) {
  return (
    // A frame that goes to another address adds an entry to the browser's history; a new frame does not.
    <iframe
      key={src}
      sandbox="allow-same-origin"
      src={src}
      title={`The screen "${title}"`}
      tabIndex={-1}
      {...(lazy ? { loading: "lazy" as const } : {})}
    />
  );
}
