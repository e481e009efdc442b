/** The database row of a completed order for three months. */
export const completedOrder = (id: string, accountUuid: string, at: number) =>
  ({
    id,
    account_uuid: accountUuid,
    product_id: "3m",
    product_type: "subscription",
    product_plan: "3M",
    trial_days: 7,
    price_id: "pri_1",
    quantity: 1,
    currency: "MXN",
    price: 100,
    payment_provider: "paddlebilling",
    status: "completed",
    created_at: at,
    updated_at: at,
  }) as const;
