/** `npm run paddle -- notices`, `-- answered <number>`: statements that end a contract and that somebody has to look at. */
import { answered, waitingNotices } from "#server/payments/notices.ts";
import { inStore } from "./paymentMismatches.ts";

/** Prints one line each and returns their number. */
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

export const answerNotice = (id: string): Promise<boolean> => inStore((store) => answered(store, Date.now(), id));
