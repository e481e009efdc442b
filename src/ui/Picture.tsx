/** A picture as webp with a fallback, in the variant and density for the screen. Its space is reserved while it loads (spec 001 §7). */
import type { Locale } from "#core/locales.ts";
import { pictureSize, pictureUrl, type PictureSource, type PictureVariant } from "#core/pictures.ts";

interface PictureProps {
  readonly source: PictureSource;
  readonly locale: Locale;
  /** Empty for a decorative picture. */
  readonly alt: string;
  /** The first picture of a page loads at once, the others when they come near the viewport. */
  readonly eager?: boolean;
  /** Shown larger than at its phone size: every screen gets the widest variant. */
  readonly large?: boolean;
  readonly className?: string | undefined;
}

/** The breakpoints of spec 001 §9, widest first as `<picture>` requires. */
const wider = [
  { variant: "desktop", media: "(min-width: 992px)" },
  { variant: "tablet", media: "(min-width: 768px)" },
] as const;

export function Picture({ source, locale, alt, eager = false, large = false, className }: PictureProps) {
  const set = (variant: PictureVariant, ext: PictureSource["ext"] | "webp") =>
    `${pictureUrl(source, variant, 1, locale, ext)}, ${pictureUrl(source, variant, 2, locale, ext)} 2x`;
  const base = large ? "desktop" : "phone";
  return (
    <picture className={className}>
      {wider
        .filter(({ variant }) => !large && source.variants.includes(variant))
        .flatMap(({ variant, media }) =>
          (["webp", source.ext] as const).map((ext) => (
            <source
              key={variant + ext}
              media={media}
              type={ext === "jpg" ? "image/jpeg" : `image/${ext}`}
              srcSet={set(variant, ext)}
              {...pictureSize(source, variant)}
            />
          )),
        )}
      <source type="image/webp" srcSet={set(base, "webp")} />
      <img
        src={pictureUrl(source, base, 1, locale, source.ext)}
        srcSet={set(base, source.ext)}
        alt={alt}
        {...pictureSize(source, base)}
        loading={eager ? "eager" : "lazy"}
        {...(eager ? { fetchPriority: "high" as const } : {})}
        decoding={eager ? "sync" : "async"}
      />
    </picture>
  );
}
