const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const PAYMENT_ID = /^[\da-f]{32}$/

/** What the database would refuse as an id is none. */
export const isUuid = (text: string): boolean => UUID.test(text)

export const isPaymentId = (text: string): boolean => PAYMENT_ID.test(text)
