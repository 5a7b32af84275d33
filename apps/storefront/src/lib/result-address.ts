/** Where a payment is waited for. */
export const resultAddress = (paymentId: string) => `/payment/result/${encodeURIComponent(paymentId)}`
