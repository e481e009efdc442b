/** An order's number as its buyer reads it on the receipt. */
export const orderNumber = (orderId: string): string => orderId.slice(0, 8).toUpperCase();
