import { Tag } from "#ui/Tag.tsx";
import type { BlockViewProps } from "../view.ts";
import { type Content, maxRating } from "./spec.ts";
import styles from "./view.module.css";

/** A rating in stars, filled to a tenth of a star. */
export function View({ content, id, site }: BlockViewProps<Content>) {
  const rating = site.formats.number(content.rating);
  return (
    <div className={styles["rating"]}>
      <b className={styles["number"]} aria-hidden="true">
        {rating}
      </b>
      <span className={styles["stars"]} role="img" aria-label={site.t("block.appRating.stars", { RATING: rating, MAX: maxRating })}>
        {Array.from({ length: maxRating }, (_, index) => (
          <Star key={index} id={`${id}-${index}`} share={Math.min(1, Math.max(0, content.rating - index))} />
        ))}
      </span>
      <p>
        {site.say(content.text)} {content.example && <Tag>{site.t("block.example")}</Tag>}
      </p>
    </div>
  );
}

/** A five-pointed star in a 24 unit box. */
const outline = "M12 2.6l2.9 5.9 6.5.95-4.7 4.6 1.1 6.45L12 17.45 6.2 20.5l1.1-6.45-4.7-4.6 6.5-.95z";

function Star({ id, share }: { readonly id: string; readonly share: number }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <clipPath id={id}>
        <rect width={24 * share} height="24" />
      </clipPath>
      <path d={outline} />
      <path d={outline} data-full clipPath={`url(#${id})`} />
    </svg>
  );
}
