import { expect, test } from 'vitest'
import { readTransaction } from '#money/gateway/stripe/stripe-bookings.ts'

const aTransaction = (reporting_category: string, amount: number, more: object = {}) => ({
  ...{ id: 'txn_1', object: 'balance_transaction', amount, fee: 0, currency: 'gbp', created: 1_790_000_000 },
  ...{ type: 'other', reporting_category, source: null, ...more },
})

const bookingOf = (row: unknown) => {
  const read = readTransaction(row)
  return read.kind === 'operation' ? read.operation : read
}

test.each([
  ['charge', 3350, 'sale'],
  ['refund', -350, 'refund'],
  ['refund_failure', 350, 'refund'],
  ['dispute', -3350, 'chargeback'],
  ['dispute_reversal', 3350, 'representment'],
  ['fee', -20, 'fee'],
  ['tax', -4, 'fee'],
  ['payout', -9000, 'payout'],
  ['payout_reversal', 9000, 'payout'],
  ['risk_reserved_funds', -100, 'reserve'],
  ['risk_reserved_funds', 100, 'release'],
  ['topup', 5000, 'correction'],
  ['something new', -1, 'correction'],
])('%s of %i is a %s, as it changes the balance', (category, amount, kind) => {
  const booked = { minor: amount, currency: 'GBP' }
  expect(bookingOf(aTransaction(category, amount))).toMatchObject({ kind, initial: booked, booked })
})

test('in the account’s currency keeps what the customer paid beside what was booked, with its fee', () => {
  const source = { id: 'ch_1', amount: 1000, currency: 'eur', payment_intent: 'pi_1', metadata: {} }
  expect(bookingOf(aTransaction('charge', 860, { fee: 65, source }))).toMatchObject({
    ...{ source: 'ch_1', saleId: 'pi_1', feeMinor: 65, paymentId: null },
    initial: { minor: 1000, currency: 'EUR' },
    booked: { minor: 860, currency: 'GBP' },
  })
  const back = { id: 're_1', amount: 400, currency: 'eur', payment_intent: 'pi_1' }
  expect(bookingOf(aTransaction('refund', -344, { source: back }))).toMatchObject({
    initial: { minor: -400, currency: 'EUR' },
  })
})

test.each([
  ['nothing', null, undefined],
  ['no sum', aTransaction('charge', 1.5), 'amount'],
  ['no time', aTransaction('charge', 1, { created: 0 }), 'created'],
  ['an id that cannot be kept', aTransaction('charge', 1, { id: 'x'.repeat(101) }), 'id'],
])('%s cannot be read, and is said', (_, row, why = 'not a balance transaction') => {
  expect(readTransaction(row)).toMatchObject({ kind: 'unreadable', why })
})
