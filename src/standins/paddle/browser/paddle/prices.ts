/** What `PricePreview` answers. */
export function previewOf(items: readonly { readonly quantity: number }[], found: object): object {
  const list = Array.isArray(found) ? found : [];
  return {
    data: {
      currencyCode: list[0]?.price.unit_price.currency_code,
      details: {
        lineItems: list.map(({ price }, index) => ({
          price,
          quantity: items[index]?.quantity ?? 1,
          totals: { subtotal: price.unit_price.amount, discount: "0", tax: "0", total: price.unit_price.amount },
        })),
      },
    },
  };
}
