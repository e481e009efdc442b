/** `npm run paddle -- notices` and `-- answered <number>`: cancellation and withdrawal notices that need a person. */
import { markAnswered, waitingNotices } from "#server/payments/notices.ts";
import { inStore } from "./paymentMismatches.ts";

/** Prints one line per notice. @returns their number. */
export async function printNotices(): Promise<number> {
  const rows = await inStore(waitingNotices);
  for (const { received_at, kind, for_cause, id, email, name, contract, not_before, reason } of rows)
    console.log(
      [
        new Date(received_at).toISOString(),
        for_cause === 1 ? `${kind} for cause` : kind,
        id,
        email,
        name,
        contract,
        ...(not_before === null ? [] : [`not before ${not_before}`]),
        ...(reason === null ? [] : [reason]),
      ].join(" · "),
    );
  return rows.length;
}

export const answerNotice = (id: string): Promise<boolean> => inStore((store) => markAnswered(store, Date.now(), id));
