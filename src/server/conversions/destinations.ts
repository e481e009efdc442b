/** The request format of each advertising network. */
import { majorUnits } from "#core/formats.ts";
import { createHash } from "node:crypto";
import * as v from "valibot";
import type { ConversionSettings } from "../base/settings.ts";

export interface Purchase {
  readonly orderId: string;
  readonly accountUuid: string;
  readonly email: string;
  readonly productId: string;
  readonly currency: string;
  /** Minor units. */
  readonly price: number;
  /** Milliseconds. */
  readonly paidAt: number;
}

export interface Destination {
  readonly name: keyof ConversionSettings;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (purchase: Purchase) => object;
  /** Whether a 2xx answer means success. */
  readonly taken: (answer: unknown) => boolean;
}

/** The browser reports the same purchase under the same id, so that the network counts it once. */
export function eventIdOf(orderId: string): string {
  return `purchase:${orderId}`;
}

const hashed = (text: string) => createHash("sha256").update(text.trim().toLowerCase()).digest("hex");
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** The configured networks. */
export function destinationsOf({ meta, tiktok }: ConversionSettings, publicUrl: string): readonly Destination[] {
  return [
    ...(meta === null
      ? []
      : [
          {
            name: "meta",
            url: `${meta.url}/${encodeURIComponent(meta.pixelId)}/events`,
            headers: { authorization: `Bearer ${meta.token}` },
            body: ({ orderId, accountUuid, email, productId, currency, price, paidAt }) => ({
              data: [
                {
                  event_name: "Purchase",
                  event_time: seconds(paidAt),
                  event_id: eventIdOf(orderId),
                  action_source: "website",
                  event_source_url: publicUrl,
                  user_data: { em: [hashed(email)], external_id: [hashed(accountUuid)] },
                  custom_data: {
                    currency,
                    value: majorUnits(price, currency),
                    order_id: orderId,
                    content_ids: [productId],
                    content_type: "product",
                  },
                },
              ],
            }),
            taken: (answer) => v.is(v.object({ events_received: v.pipe(v.number(), v.minValue(1)) }), answer),
          } satisfies Destination,
        ]),
    ...(tiktok === null
      ? []
      : [
          {
            name: "tiktok",
            url: `${tiktok.url}/event/track/`,
            headers: { "access-token": tiktok.token },
            body: ({ orderId, accountUuid, email, productId, currency, price, paidAt }) => ({
              event_source: "web",
              event_source_id: tiktok.pixelId,
              data: [
                {
                  event: "Purchase",
                  event_time: seconds(paidAt),
                  event_id: eventIdOf(orderId),
                  user: { email: hashed(email), external_id: hashed(accountUuid) },
                  properties: {
                    currency,
                    value: majorUnits(price, currency),
                    order_id: orderId,
                    contents: [{ content_id: productId, quantity: 1 }],
                  },
                  page: { url: publicUrl },
                },
              ],
            }),
            // TikTok also answers refusals with 200; its code tells them apart.
            taken: (answer) => v.is(v.object({ code: v.literal(0) }), answer),
          } satisfies Destination,
        ]),
  ];
}
