/** Why a person cannot end a payment. */
export type PaymentRefusal =
  | { code: 'no-payment' | 'other-sum' | 'already-paid' }
  | { code: 'ended-before' | 'gateway-says-unpaid' | 'gateway-says-under-way'; status: string }

const WORDS: Readonly<Record<PaymentRefusal['code'], (status: string) => string>> = {
  'no-payment': () => 'There is no such payment.',
  'other-sum': () => 'A different amount arrived than was due, and is refunded.',
  'already-paid': () => 'It is already paid.',
  'ended-before': (status) => `It has already ended: ${status}.`,
  'gateway-says-unpaid': (status) => `The gateway says that it was not paid: ‘${status}’.`,
  'gateway-says-under-way': (status) =>
    `The gateway says that it is under way: ‘${status}’. It ends all the same only if you say so.`,
}

/** A sentence for operators. */
export const paymentRefusalText = (refusal: PaymentRefusal): string =>
  WORDS[refusal.code]('status' in refusal ? refusal.status : '')
