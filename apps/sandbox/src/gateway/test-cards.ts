import { passesLuhn } from '#gateway/card-number.ts'
import type { Code } from '#gateway/codes.ts'

/** What becomes of a sale: whether the issuer asks the card holder first, and the code it ends with. */
export type CardPlan = { challenge: boolean; code: Code }

export type TestCard = CardPlan & { pan: string; brand: string; description: string }

const card = (pan: string, brand: string, challenge: boolean, code: Code, description: string): TestCard => ({
  pan,
  brand,
  challenge,
  code,
  description,
})

/** The provider's published test cards. The number alone decides; holder, expiry and CVV need only be valid. */
export const TEST_CARDS: readonly TestCard[] = [
  card('4000000000000077', 'Visa', false, '0', 'Paid at once'),
  card('4477000000000006', 'Visa', false, '0', 'Paid at once: 3-D Secure without a question'),
  card('5252000000000004', 'Mastercard', false, '0', 'Paid at once: 3-D Secure without a question'),
  card('4314220000000056', 'Visa', true, '0', 'The bank asks, then paid'),
  card('4006260000000014', 'Visa', true, '0', 'The bank asks, then paid'),
  card('5413330000000019', 'Mastercard', true, '0', 'The bank asks, then paid'),
  card('4314220000000072', 'Visa', true, '10000', 'The bank asks, then declined'),
  card('4314220000000098', 'Visa', true, '10000', 'The bank asks, then declined'),
  card('5413330000000035', 'Mastercard', true, '10000', 'The bank asks, then declined'),
  card('5413330000000092', 'Mastercard', true, '10000', 'The bank asks, then declined'),
  card('4012000000020089', 'Visa', true, '104', 'The bank asks, then the 3-D Secure check fails'),
  card('5544330000000045', 'Mastercard', true, '104', 'The bank asks, then the 3-D Secure check fails'),
  card('4111111111111111', 'Visa', false, '10000', 'Declined'),
  card('4000000000000135', 'Visa', false, '10105', 'Declined: insufficient funds'),
  card('4000000000000119', 'Visa', false, '10102', 'Declined: incorrect card data'),
  card('4539121411168251', 'Visa', false, '10202', 'Declined: the issuer does not answer'),
]

const BY_PAN = new Map(TEST_CARDS.map((testCard) => [testCard.pan, testCard]))

export const planFor = (pan: string): CardPlan => {
  const known = BY_PAN.get(pan)
  if (known) return { challenge: known.challenge, code: known.code }
  return { challenge: false, code: passesLuhn(pan) ? '0' : '10102' }
}
