import { expect, test } from 'vitest'
import {
  aSale,
  booksOf,
  CARDS,
  call,
  type Json,
  openShop,
  reached,
  sell,
  settled,
  startTestSandbox,
  statusOf,
  switchFaults,
} from '#testing/merchant.ts'

test.each([
  ['endExpired', 'expired'],
  ['endCancelled', 'cancelled'],
  ['endWithInternalError', 'internal error'],
  ['endWithExternalError', 'external error'],
  ['endReversed', 'reversed'],
])('%s ends a payment as %s, without money', async (fault, status) => {
  const shop = await openShop()
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { [fault]: 1 })
  await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
  const [callback] = await shop.received(1)
  expect(callback).toMatchObject({ payment: { status }, operation: { type: 'sale', status: 'decline' } })
  expect((await statusOf(sandbox, 'ord_1')).payment.status).toBe(status)
  expect(await booksOf(sandbox, '/ord_1')).toMatchObject({ settled: 0, refunded: 0, received: null })
  expect(await (await fetch(`${sandbox.url}/gate/faults/struck`)).json()).toEqual({ [fault]: 1 })
})

const partial = (amount: number) => ({ ...aSale('5126160000356675'), payment: { amount, currency: 'EUR' } })

test.each([
  [12_000, null],
  [13_013, { amount: 5200, currency: 'EUR' }],
])('the card of a partial authorisation of %i gives %j', async (amount, received) => {
  const sandbox = await startTestSandbox()
  await call(sandbox, '/card/sale', 'ord_1', partial(amount))
  const { payment, operations } = await settled(sandbox, 'ord_1')
  expect(payment).toMatchObject({ status: 'success', sum: { amount: received?.amount ?? amount } })
  expect(operations[0].sum_initial.amount).toBe(amount)
  expect(await booksOf(sandbox, '/ord_1')).toMatchObject({ amount, received })
})

test.each(['payOtherSums', 'endPartlyPaid'])(
  'what came by %s is in the books, and can go back',
  async (fault) => {
    const sandbox = await startTestSandbox()
    await switchFaults(sandbox, { [fault]: 1, seed: 'hedge' })
    for (let number = 0; number < 6; number++) {
      const id = `ord_${number}`
      await sell(sandbox, id)
      const { payment } = await settled(sandbox, id)
      expect(payment.status).toBe(fault === 'payOtherSums' ? 'success' : 'partially paid')
      const book = await booksOf(sandbox, `/${id}`)
      expect(book.received).toEqual(payment.sum)
      expect(book.received).not.toEqual({ amount: book.amount, currency: book.currency })
      expect(book.settled).toBe(book.received.amount)
      expect((await call(sandbox, '/card/refund', id, { payment: { description: 'Other' } })).status).toBe(
        200,
      )
      const { operations } = await reached(sandbox, id, 'reversed')
      expect(operations[1].sum_initial).toEqual(book.received)
      expect(await booksOf(sandbox, `/${id}`)).toMatchObject({ refunded: book.settled, remaining: 0 })
    }
    const { settled: came, refunded } = (await (await fetch(`${sandbox.url}/gate/totals`)).json()) as Json
    expect(refunded).toEqual(came)
  },
)

test('money that is promised comes later, or never', async () => {
  const sandbox = await startTestSandbox()
  await switchFaults(sandbox, { confirmLater: 1, confirmAfterMs: 600_000 })
  await sell(sandbox, 'ord_1')
  await reached(sandbox, 'ord_1', 'awaiting confirmation')
  expect(await booksOf(sandbox, '/ord_1')).toMatchObject({ settled: 0 })
  await switchFaults(sandbox, { confirmAfterMs: 0 })
  await sell(sandbox, 'ord_2')
  await reached(sandbox, 'ord_2', 'success')
  await switchFaults(sandbox, { confirmNever: 1 })
  await sell(sandbox, 'ord_3')
  const { operations } = await reached(sandbox, 'ord_3', 'reversed')
  expect(operations.at(-1)).toMatchObject({ type: 'payment confirmation', status: 'decline' })
  expect(await booksOf(sandbox, '/ord_3')).toMatchObject({ settled: 0, refunded: 0 })
})
