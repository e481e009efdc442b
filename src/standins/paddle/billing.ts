/** Paddle Billing's behavior as far as our funnel uses it: transactions, subscriptions, adjustments and their events. */
import type { IAdjustmentNotificationResponse, ISubscriptionResponse, ITransactionResponse } from "@paddle/paddle-node-sdk";
import { detailsOf, totalsOf, withFee } from "./billing/amounts.ts";
import { type BillingParts, openBooks, withoutUrls } from "./billing/books.ts";
import { behaviourOf, type CardInput, digitsOf, goodCard, isComplete } from "./billing/cards.ts";
import { newId } from "./billing/ids.ts";
import { periodEnd } from "./billing/periods.ts";
import { currencyOf, discountEntity, priceEntity, productEntity } from "./billing/prices.ts";
import { PaddleProblem } from "./problem.ts";

export interface BuyerInput {
  readonly email: string;
  readonly countryCode: string;
}

export type PaymentResult =
  | { readonly status: "completed" }
  | { readonly status: "declined"; readonly code: string }
  | { readonly status: "action_required" };

export type Billing = ReturnType<typeof createBilling>;

export function createBilling(parts: BillingParts) {
  const books = openBooks(parts);
  const { transactions, subscriptions, adjustments, customers, attempts, storedCards, tick, forwardTo, emit } = books;
  const { priceOf, getTransaction, getSubscription, save, change } = books;

  /** The amount of each later period, with a recurring discount. */
  function recurringTotals(transaction: ITransactionResponse) {
    const items = transaction.items.flatMap(({ price, quantity }) =>
      price?.billing_cycle == null ? [] : [{ price: priceOf(price.id), quantity }],
    );
    const discount = parts.discounts.find(({ id, recurring }) => recurring && id === transaction.discount_id);
    return totalsOf(items, discount, false, books.taxOnTop());
  }

  /** Today's amount for a price with a code, before a transaction exists. */
  function dueToday(priceId: string, code: string | null): string {
    const discount = code === null ? undefined : parts.discounts.find((one) => one.code.toLowerCase() === code.toLowerCase());
    return totalsOf([{ price: priceOf(priceId), quantity: 1 }], discount, true, books.taxOnTop()).total;
  }

  const customerOf = (transaction: ITransactionResponse) => (transaction.customer_id ? customers.get(transaction.customer_id) : undefined);

  function createTransaction(input: {
    readonly items: readonly { readonly priceId: string; readonly quantity: number }[];
    readonly discountId?: string | null;
    readonly customData?: object | null;
    readonly currencyCode?: string | null;
    readonly origin: "api" | "web" | "subscription_recurring";
    readonly subscription?: ISubscriptionResponse;
  }): ITransactionResponse {
    const items = input.items.map(({ priceId, quantity }) => ({ price: priceOf(priceId), quantity }));
    const [first] = items;
    if (first === undefined) throw new PaddleProblem(400, "invalid_field", "items must not be empty");
    if (items.some(({ quantity, price }) => quantity !== 1 || price.currency !== first.price.currency))
      throw new PaddleProblem(400, "transaction_item_quantity_out_of_range", "quantity must be 1, in one currency");
    if (input.currencyCode != null && input.currencyCode !== first.price.currency)
      throw new PaddleProblem(400, "transaction_currency_code_invalid", `price is in ${first.price.currency}`);
    const discount = input.discountId == null ? undefined : parts.discounts.find(({ id }) => id === input.discountId);
    if (input.discountId != null && discount === undefined)
      throw new PaddleProblem(400, "transaction_discount_not_found", `discount ${input.discountId} does not exist`);
    const at = tick();
    const id = newId("txn");
    const code = currencyOf(first.price.currency);
    const transaction: ITransactionResponse = {
      id,
      status: input.subscription ? "billed" : "draft",
      customer_id: input.subscription?.customer_id ?? null,
      address_id: input.subscription?.address_id ?? null,
      business_id: null,
      custom_data: input.customData == null ? null : { ...input.customData },
      currency_code: code,
      origin: input.origin,
      subscription_id: input.subscription?.id ?? null,
      invoice_id: null,
      invoice_number: null,
      collection_mode: "automatic",
      discount_id: discount?.id ?? null,
      billing_details: null,
      billing_period: input.subscription?.current_billing_period ?? null,
      items: items.map(({ price, quantity }) => ({ price_id: price.id, price: priceEntity(price), quantity, proration: null })),
      details: detailsOf(code, totalsOf(items, discount, input.subscription === undefined, books.taxOnTop())),
      payments: [],
      checkout: { url: parts.checkoutUrl(id) },
      created_at: at,
      updated_at: at,
      billed_at: input.subscription ? at : null,
      revised_at: null,
    };
    transactions.put(id, transaction);
    emit("transaction.created", transaction);
    return transaction;
  }

  /** A buyer enters a code in Paddle's form. */
  function typeDiscount(transactionId: string, code: string): ITransactionResponse {
    const transaction = getTransaction(transactionId);
    const discount = parts.discounts.find((one) => one.code === code);
    const items = transaction.items.map(({ price, quantity }) => ({ price: priceOf(price?.id ?? ""), quantity }));
    const details = detailsOf(currencyOf(transaction.currency_code), totalsOf(items, discount, true, books.taxOnTop()));
    const next = save(transaction, { discount_id: discount?.id ?? null, details });
    emit("transaction.updated", next);
    return next;
  }

  /** Sets the buyer, as Paddle's checkout does once it has the e-mail and the country. */
  function setBuyer(transactionId: string, buyer: BuyerInput): ITransactionResponse {
    const transaction = getTransaction(transactionId);
    if (transaction.status !== "draft" && transaction.status !== "ready") return transaction;
    const before = customerOf(transaction);
    if (before?.email === buyer.email && before.countryCode === buyer.countryCode) return transaction;
    const known = customers.all().find((customer) => customer.email === buyer.email && customer.countryCode === buyer.countryCode);
    const customer = known ?? { id: newId("ctm"), addressId: newId("add"), ...buyer };
    if (known === undefined) {
      customers.put(customer.id, customer);
      const at = tick();
      emit("customer.created", {
        id: customer.id,
        name: null,
        email: customer.email,
        marketing_consent: false,
        status: "active",
        custom_data: null,
        locale: "en",
        created_at: at,
        updated_at: at,
        import_meta: null,
      });
      emit("address.created", {
        id: customer.addressId,
        customer_id: customer.id,
        description: null,
        first_line: null,
        second_line: null,
        city: null,
        postal_code: null,
        region: null,
        country_code: customer.countryCode,
        custom_data: null,
        status: "active",
        created_at: at,
        updated_at: at,
        import_meta: null,
      });
    }
    const next = save(transaction, { status: "ready", customer_id: customer.id, address_id: customer.addressId });
    emit(transaction.status === "draft" ? "transaction.ready" : "transaction.updated", next);
    return next;
  }

  function payment(
    card: CardInput,
    transaction: ITransactionResponse,
    status: "captured" | "error" | "action_required",
    attemptId = newId("payatt").slice(7),
  ): ITransactionResponse["payments"][number] {
    const at = tick();
    return {
      payment_attempt_id: attemptId,
      stored_payment_method_id: newId("paymtd").slice(7),
      payment_method_id: newId("paymtd"),
      amount: transaction.details?.totals?.grand_total ?? "0",
      status,
      error_code: status === "error" ? "declined" : null,
      method_details: {
        type: "card",
        card: {
          type: "visa",
          last4: card.number.slice(-4),
          expiry_month: Number(card.expiry.slice(0, 2)),
          expiry_year: 2000 + Number(card.expiry.slice(-2)),
          cardholder_name: card.name,
        },
        paypal: null,
        south_korea_local_card: null,
        underlying_details: null,
      },
      created_at: at,
      captured_at: status === "captured" ? at : null,
    };
  }

  function decline(transaction: ITransactionResponse, card: CardInput, attemptId?: string): ITransactionResponse {
    const others = transaction.payments.filter((attempt) => attempt.payment_attempt_id !== attemptId);
    const next = save(transaction, { payments: [payment(card, transaction, "error", attemptId), ...others] });
    emit("transaction.payment_failed", next);
    return next;
  }

  /**
   * Captures the payment in Paddle's order: paid, then a subscription if a price recurs, then completed. Runs once, even with concurrent attempts.
   */
  function capture(open: ITransactionResponse, card: CardInput, attemptId?: string): void {
    const { status } = getTransaction(open.id);
    if (status === "paid" || status === "completed")
      throw new PaddleProblem(409, "transaction_already_completed", "this transaction is paid");
    if (status === "canceled") throw new PaddleProblem(400, "transaction_immutable", "this transaction is canceled");
    const others = open.payments.filter((attempt) => attempt.payment_attempt_id !== attemptId);
    const at = tick();
    let transaction = save(open, { status: "paid", billed_at: at, payments: [payment(card, open, "captured", attemptId), ...others] });
    emit("transaction.paid", transaction);
    const recurring = transaction.items.filter((item) => item.price?.billing_cycle != null);
    const price = recurring[0]?.price;
    if (transaction.subscription_id == null && price?.billing_cycle != null) {
      const trial = price.trial_period;
      const ends = trial
        ? periodEnd(at, trial.interval, trial.frequency)
        : periodEnd(at, price.billing_cycle.interval, price.billing_cycle.frequency);
      const period = { starts_at: at, ends_at: ends };
      const id = newId("sub");
      const subscription: ISubscriptionResponse = {
        id,
        status: trial ? "trialing" : "active",
        customer_id: transaction.customer_id ?? "",
        address_id: transaction.address_id ?? "",
        business_id: null,
        currency_code: transaction.currency_code,
        created_at: at,
        updated_at: at,
        started_at: at,
        first_billed_at: trial ? null : at,
        next_billed_at: ends,
        paused_at: null,
        canceled_at: null,
        discount: transaction.discount_id ? { id: transaction.discount_id, starts_at: at, ends_at: null } : null,
        collection_mode: "automatic",
        billing_details: null,
        current_billing_period: period,
        billing_cycle: price.billing_cycle,
        scheduled_change: null,
        management_urls: { update_payment_method: parts.manageUrl(id), cancel: parts.manageUrl(id) },
        items: recurring.flatMap((item) =>
          item.price == null
            ? []
            : [
                {
                  status: trial ? ("trialing" as const) : ("active" as const),
                  quantity: item.quantity,
                  recurring: true,
                  created_at: at,
                  updated_at: at,
                  previously_billed_at: trial ? null : at,
                  next_billed_at: ends,
                  trial_dates: trial ? period : null,
                  price: item.price,
                  product: productEntity(),
                },
              ],
        ),
        custom_data: transaction.custom_data ?? null,
      };
      subscriptions.put(id, subscription);
      storedCards.put(id, card);
      transaction = save(transaction, { subscription_id: id, billing_period: period });
      emit("subscription.created", { ...withoutUrls(subscription), transaction_id: transaction.id });
      emit(trial ? "subscription.trialing" : "subscription.activated", withoutUrls(subscription));
    }
    emit(
      "transaction.completed",
      save(transaction, {
        status: "completed",
        ...withFee(transaction),
        invoice_id: newId("inv"),
        invoice_number: `3000-${10_000 + transactions.all().length}`,
      }),
    );
  }

  function pay(transactionId: string, given: CardInput): PaymentResult {
    const transaction = getTransaction(transactionId);
    if (transaction.status === "completed" || transaction.status === "paid")
      throw new PaddleProblem(409, "transaction_already_completed", "this transaction is paid");
    if (transaction.status !== "ready") throw new PaddleProblem(400, "transaction_not_ready_cannot_be_paid", "who pays is not known yet");
    const card = { ...given, number: digitsOf(given.number) };
    const behaviour = behaviourOf(card.number);
    if (behaviour === undefined || !isComplete(card, parts.now())) return { status: "declined", code: "invalid_payment_details" };
    if (behaviour === "declined") {
      decline(transaction, card);
      return { status: "declined", code: "declined" };
    }
    if (behaviour === "challenge" || books.challengesAll()) {
      const attempt = payment(card, transaction, "action_required");
      save(transaction, { payments: [attempt, ...transaction.payments] });
      attempts.put(transactionId, { card, attemptId: attempt.payment_attempt_id });
      return { status: "action_required" };
    }
    capture(transaction, card);
    return { status: "completed" };
  }

  /** The bank's answer in the 3-D Secure window. */
  function answerChallenge(transactionId: string, approved: boolean): PaymentResult {
    const attempt = attempts.get(transactionId);
    if (attempt === undefined) throw new PaddleProblem(404, "not_found", "no challenge is open");
    attempts.remove(transactionId);
    const transaction = getTransaction(transactionId);
    if (!approved) {
      decline(transaction, attempt.card, attempt.attemptId);
      return { status: "declined", code: "authentication_failed" };
    }
    capture(transaction, attempt.card, attempt.attemptId);
    return { status: "completed" };
  }

  const scheduled = (subscription: ISubscriptionResponse, action: "cancel" | "pause") =>
    change(
      subscription,
      { scheduled_change: { action, effective_at: subscription.current_billing_period?.ends_at ?? tick(), resume_at: null } },
      "subscription.updated",
    );

  function cancel(id: string, immediately: boolean): ISubscriptionResponse {
    const subscription = getSubscription(id);
    if (subscription.status === "canceled") throw new PaddleProblem(400, "subscription_is_canceled_action_invalid", "already canceled");
    if (!immediately) return scheduled(subscription, "cancel");
    return change(
      subscription,
      { status: "canceled", canceled_at: tick(), next_billed_at: null, current_billing_period: null, scheduled_change: null },
      "subscription.canceled",
    );
  }

  function pause(id: string, immediately: boolean): ISubscriptionResponse {
    const subscription = getSubscription(id);
    if (!immediately) return scheduled(subscription, "pause");
    return change(
      subscription,
      { status: "paused", paused_at: tick(), next_billed_at: null, current_billing_period: null, scheduled_change: null },
      "subscription.paused",
    );
  }

  /** Pays a period's transaction, or leaves it past due. */
  function collect(transaction: ITransactionResponse, subscription: ISubscriptionResponse, ok: boolean): void {
    const card = storedCards.get(subscription.id) ?? goodCard;
    if (ok) {
      capture(transaction, card);
      if (subscription.status !== "active")
        change(
          subscription,
          { status: "active", first_billed_at: subscription.first_billed_at ?? transaction.billed_at ?? null },
          subscription.status === "paused" ? "subscription.resumed" : "subscription.activated",
        );
      else emit("subscription.updated", withoutUrls(subscription));
      return;
    }
    const failed = decline(transaction, card);
    emit("transaction.past_due", save(failed, { status: "past_due" }));
    change(subscription, { status: "past_due" }, "subscription.past_due");
  }

  /** The next billing date has come: charges the period, or applies the scheduled change. */
  function renew(id: string): ISubscriptionResponse {
    const subscription = getSubscription(id);
    const due = subscription.scheduled_change?.effective_at ?? subscription.next_billed_at;
    if (due == null) throw new PaddleProblem(400, "subscription_not_active", `subscription is ${subscription.status}`);
    forwardTo(due);
    if (subscription.scheduled_change?.action === "cancel") return cancel(id, true);
    if (subscription.scheduled_change?.action === "pause") return pause(id, true);
    charge(subscription, due);
    return getSubscription(id);
  }

  function charge(subscription: ISubscriptionResponse, from: string): void {
    const ends = periodEnd(from, subscription.billing_cycle.interval, subscription.billing_cycle.frequency);
    const next = { ...subscription, current_billing_period: { starts_at: from, ends_at: ends }, next_billed_at: ends, updated_at: tick() };
    subscriptions.put(next.id, next);
    const keepsDiscount = parts.discounts.find((discount) => discount.id === subscription.discount?.id)?.recurring === true;
    const transaction = createTransaction({
      items: next.items.map((item) => ({ priceId: item.price.id, quantity: item.quantity })),
      discountId: keepsDiscount ? (subscription.discount?.id ?? null) : null,
      customData: subscription.custom_data ?? null,
      origin: "subscription_recurring",
      subscription: next,
    });
    emit("transaction.billed", transaction);
    const card = storedCards.get(subscription.id);
    collect(transaction, next, card === undefined || behaviourOf(card.number) !== "renewal declined");
  }

  /** The buyer entered a new card, or the bank accepts now: pays what is past due. */
  function recover(id: string, card: CardInput = goodCard): ISubscriptionResponse {
    const subscription = getSubscription(id);
    const open = transactions.all().findLast((transaction) => transaction.subscription_id === id && transaction.status === "past_due");
    if (open === undefined) throw new PaddleProblem(400, "subscription_not_past_due", "nothing is past due");
    storedCards.put(id, card);
    collect(open, subscription, behaviourOf(card.number) !== "declined");
    return getSubscription(id);
  }

  /** Cancels the scheduled change. */
  const keep = (id: string) => change(getSubscription(id), { scheduled_change: null }, "subscription.updated");

  /** The buyer entered another card in the portal; it pays what is past due. */
  function replaceCard(id: string, card: CardInput): ISubscriptionResponse {
    const subscription = getSubscription(id);
    if (!isComplete(card, parts.now()) || behaviourOf(card.number) === undefined)
      throw new PaddleProblem(400, "invalid_payment_details", "the card is not valid");
    if (subscription.status === "past_due") return recover(id, card);
    storedCards.put(id, card);
    return subscription;
  }

  function resume(id: string): ISubscriptionResponse {
    const subscription = getSubscription(id);
    if (subscription.status !== "paused") return change(subscription, { scheduled_change: null }, "subscription.updated");
    charge({ ...subscription, paused_at: null }, tick());
    return getSubscription(id);
  }

  /** The amount paid and not refunded. */
  const leftOf = (transactionId: string): number =>
    adjustments
      .all()
      .filter((adjustment) => adjustment.transaction_id === transactionId && adjustment.action === "refund")
      .reduce(
        (left, { totals }) => left - Number(totals?.total ?? 0),
        Number(getTransaction(transactionId).details?.totals?.grand_total ?? 0),
      );

  /** A refund by the seller, or a chargeback by the bank and its reversal. Approved at once. */
  function adjust(
    transactionId: string,
    action: "refund" | "chargeback" | "chargeback_reverse",
    type: "full" | "partial",
    /** The amount of a partial refund; default is half. */
    part?: number,
    reason = "requested_by_customer",
  ): IAdjustmentNotificationResponse {
    const transaction = getTransaction(transactionId);
    if (transaction.status !== "completed")
      throw new PaddleProblem(400, "adjustment_transaction_invalid_status", "only a completed transaction can be adjusted");
    const at = tick();
    const total = transaction.details?.totals?.grand_total ?? "0";
    const amount = type === "full" ? total : String(part ?? Math.floor(Number(total) / 2));
    const adjustment: IAdjustmentNotificationResponse = {
      id: newId("adj"),
      action,
      type,
      transaction_id: transaction.id,
      subscription_id: transaction.subscription_id ?? null,
      customer_id: transaction.customer_id ?? "",
      reason,
      credit_applied_to_balance: false,
      currency_code: transaction.currency_code,
      status: "pending_approval",
      items: (transaction.details?.line_items ?? []).map((line) => ({
        id: newId("adjitm"),
        item_id: line.id,
        type,
        amount: type === "full" ? null : amount,
        proration: null,
        totals: { subtotal: amount, tax: "0", total: amount, fee: "0", earnings: amount, currency_code: transaction.currency_code },
      })),
      totals: {
        subtotal: amount,
        tax: "0",
        total: amount,
        fee: "0",
        earnings: amount,
        currency_code: transaction.currency_code,
        retained_fee: "0",
      },
      payout_totals: null,
      created_at: at,
      updated_at: at,
    };
    adjustments.put(adjustment.id, adjustment);
    emit("adjustment.created", adjustment);
    const approved: IAdjustmentNotificationResponse = { ...adjustment, status: "approved", updated_at: tick() };
    adjustments.put(approved.id, approved);
    emit("adjustment.updated", approved);
    return approved;
  }

  /** All changes of one call are stored and sent together, or none. */
  const whole =
    <Input extends unknown[], Result>(change: (...input: Input) => Result) =>
    (...input: Input): Result =>
      parts.records.together(() => change(...input));

  return {
    createTransaction: whole(createTransaction),
    getTransaction: (id: string): ITransactionResponse => ({
      ...getTransaction(id),
      adjustments: adjustments.all().filter((adjustment) => adjustment.transaction_id === id),
    }),
    transactions: () => transactions.all(),
    cancelTransaction: whole((id: string) => {
      const transaction = getTransaction(id);
      if (transaction.status === "canceled") return transaction;
      if (!["draft", "ready", "billed"].includes(transaction.status))
        throw new PaddleProblem(400, "transaction_immutable", `transaction is ${transaction.status}`);
      const next = save(transaction, { status: "canceled" });
      emit("transaction.canceled", next);
      return next;
    }),
    typeDiscount: whole(typeDiscount),
    setBuyer: whole(setBuyer),
    buyerOf: customerOf,
    recurringTotals,
    dueToday,
    pay: whole(pay),
    answerChallenge: whole(answerChallenge),
    getSubscription,
    subscriptions: () => subscriptions.all(),
    cancel: whole(cancel),
    pause: whole(pause),
    resume: whole(resume),
    keep: whole(keep),
    replaceCard: whole(replaceCard),
    renew: whole(renew),
    recover: whole(recover),
    adjust: whole(adjust),
    leftOf,
    prices: () => parts.prices.map(priceEntity),
    discounts: () => parts.discounts.map(discountEntity),
    discountByCode: (code: string) => parts.discounts.find((discount) => discount.code.toLowerCase() === code.toLowerCase()),
  };
}
