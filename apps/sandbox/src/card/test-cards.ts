import { passesLuhn } from '#card/card-number.ts'
import type { Code } from '#payments/codes.ts'
import type { NextActionName } from '#payments/next-action.ts'
import type { Plan } from '#payments/payment.ts'

export type TestCard = Plan & { pan: string; brand: string; description: string }

type Outcome = { actions?: NextActionName[]; code?: Code; isFrictionless?: true; isPartial?: true }

const card = (pan: string, brand: string, description: string, outcome: Outcome = {}): TestCard => ({
  pan,
  brand,
  description,
  actions: [],
  code: '0',
  ...outcome,
})

const challenged = (code: Code = '0'): Outcome => ({ actions: ['challenge'], code })

/** The provider's published test cards. The number alone decides; holder, expiry and CVV need only be valid. */
export const TEST_CARDS: readonly TestCard[] = [
  card('4000000000000077', 'Visa', 'Paid at once'),
  card('4477000000000006', 'Visa', 'Paid at once: 3-D Secure asks no question', { isFrictionless: true }),
  card('5252000000000004', 'Mastercard', 'Paid at once: 3-D Secure asks no question', {
    isFrictionless: true,
  }),
  card('4314220000000056', 'Visa', 'The bank asks, then paid', challenged()),
  card('4006260000000014', 'Visa', 'The bank asks, then paid', challenged()),
  card('5413330000000019', 'Mastercard', 'The bank asks, then paid', challenged()),
  card('4314220000000072', 'Visa', 'The bank asks, then declined', challenged('10000')),
  card('4314220000000098', 'Visa', 'The bank asks, then declined', challenged('10000')),
  card('5413330000000035', 'Mastercard', 'The bank asks, then declined', challenged('10000')),
  card('5413330000000092', 'Mastercard', 'The bank asks, then declined', challenged('10000')),
  card('4012000000020089', 'Visa', 'The bank asks, then the 3-D Secure check fails', challenged('104')),
  card('5544330000000045', 'Mastercard', 'The bank asks, then the 3-D Secure check fails', challenged('104')),
  card('5126160000356675', 'Mastercard', 'Above 120.00, only two fifths of the amount is paid', {
    isPartial: true,
  }),
  card('4010571676223548', 'Visa', 'Above 120.00, only two fifths of the amount is paid', {
    isPartial: true,
  }),
  card('4111111111111111', 'Visa', 'Declined', { code: '10000' }),
  card('4000000000000135', 'Visa', 'Declined: insufficient funds', { code: '10105' }),
  card('4000000000000119', 'Visa', 'Declined: incorrect card data', { code: '10102' }),
  card('4539121411168251', 'Visa', 'Declined: the issuer does not answer', { code: '10202' }),
]

/** The sandbox's own: next actions that no published number leads to. */
export const OWN_CARDS: readonly TestCard[] = [
  card('4000001111000014', 'Visa', 'Asks for the billing address, then paid. Declined with postcode 00000', {
    actions: ['billing-address'],
  }),
  card('4000001111000022', 'Visa', 'Shows a QR code; the page behind it approves or refuses', {
    actions: ['qr'],
  }),
  card(
    '4000001111000030',
    'Visa',
    'Asks the shop for a confirmation code: any 4 to 6 digits. Declined with 0000',
    { actions: ['merchant-auth'] },
  ),
  card('4000001111000048', 'Visa', 'The bank asks twice, then paid', { actions: ['challenge', 'challenge'] }),
  card('4000001111000055', 'Visa', 'The provider runs 3-D Secure on a page of its own, then paid', {
    actions: ['provider-challenge'],
  }),
]

const BY_PAN = new Map([...TEST_CARDS, ...OWN_CARDS].map((testCard) => [testCard.pan, testCard]))

export const planFor = (pan: string): Plan => {
  const known = BY_PAN.get(pan)
  if (!known) return { actions: [], code: passesLuhn(pan) ? '0' : '10102' }
  const { actions, code, isFrictionless = false, isPartial = false } = known
  return { actions: [...actions], code, isFrictionless, isPartial }
}
