export type Decline = { code: string; decline?: string; says: string }

export type TestCard = {
  pan: string
  brand: string
  description: string
  decline?: Decline
  asksBank?: true
  /** Disputed as soon as it is paid; an inquiry takes no money yet. */
  dispute?: { reason: string; isInquiry?: true }
  /** How its refunds go, other than at once and well. */
  refund?: 'later' | 'fails'
  isAvailableAtOnce?: true
  isSuspect?: true
}

const declined = (pan: string, description: string, decline: Decline): TestCard => ({
  pan,
  brand: 'visa',
  description,
  decline,
})

/** A part of the test cards that Stripe publishes. The number alone decides. */
export const STRIPE_CARDS: readonly TestCard[] = [
  { pan: '4242424242424242', brand: 'visa', description: 'Paid' },
  { pan: '5555555555554444', brand: 'mastercard', description: 'Paid' },
  {
    pan: '4000000000000077',
    brand: 'visa',
    description: 'Paid, and available at once',
    isAvailableAtOnce: true,
  },
  { pan: '4000002760003184', brand: 'visa', description: 'The bank asks, then paid', asksBank: true },
  declined('4000000000000002', 'Declined; the customer may try again', {
    code: 'card_declined',
    decline: 'generic_decline',
    says: 'Your card was declined.',
  }),
  declined('4000000000009995', 'Declined: insufficient funds', {
    code: 'card_declined',
    decline: 'insufficient_funds',
    says: 'Your card has insufficient funds.',
  }),
  declined('4000000000009987', 'Declined: lost', {
    code: 'card_declined',
    decline: 'lost_card',
    says: 'Your card was declined.',
  }),
  declined('4000000000000069', 'Declined: expired', {
    code: 'expired_card',
    says: 'Your card has expired.',
  }),
  declined('4000000000000127', 'Declined: wrong security code', {
    code: 'incorrect_cvc',
    says: "Your card's security code is incorrect.",
  }),
  declined('4000000000000119', 'Declined: the bank has a fault', {
    code: 'processing_error',
    says: 'An error occurred while processing your card. Try again in a little bit.',
  }),
  {
    pan: '4000000000000259',
    brand: 'visa',
    description: 'Paid, then disputed as fraudulent',
    dispute: { reason: 'fraudulent' },
  },
  {
    pan: '4000000000002685',
    brand: 'visa',
    description: 'Paid, then disputed as not received',
    dispute: { reason: 'product_not_received' },
  },
  {
    pan: '4000000000001976',
    brand: 'visa',
    description: 'Paid, then the bank inquires',
    dispute: { reason: 'fraudulent', isInquiry: true },
  },
  {
    pan: '4000000000005423',
    brand: 'visa',
    description: 'Paid, then an early fraud warning',
    isSuspect: true,
  },
  {
    pan: '4000000000007726',
    brand: 'visa',
    description: 'Paid; refunds are pending at first',
    refund: 'later',
  },
  {
    pan: '4000000000005126',
    brand: 'visa',
    description: 'Paid; refunds succeed, then fail',
    refund: 'fails',
  },
]

const BY_PAN = new Map(STRIPE_CARDS.map((card) => [card.pan, card]))
const BY_LAST4 = new Map(STRIPE_CARDS.map((card) => [card.pan.slice(-4), card]))

export const stripeCard = (pan: string): TestCard | undefined => BY_PAN.get(pan)

/** All that is kept of a number is its end. */
export const stripeCardEnding = (last4: string | null | undefined): TestCard | undefined =>
  BY_LAST4.get(last4 ?? '')
