import { expect, test } from 'vitest'
import { chargeBack, decide, dispute, openedDispute } from '#testing/disputes.ts'
import { aPurchase } from '#testing/payments.ts'
import { DAYS, settlement } from '#testing/settlement.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const shown = async (shop: TestShop) => {
  const fetched = await settlement(shop, 'fetch', ...DAYS)
  expect([fetched.err, fetched.code]).toEqual(['', 0])
  return (await settlement(shop, 'show', ...DAYS, '--json')).json
}

/** A purchase for €30.00 of which all, or so much, is charged back at the gateway. */
const aChargeback = async (shop: TestShop, amount = 3000) => {
  const { paymentId } = await aPurchase(shop)
  const { id } = await chargeBack(shop, paymentId, { amount })
  return { paymentId, id: id as number, amount }
}

const AGREED = { onlyAtGateway: [], onlyInShop: [], differing: [] }

test('what disputes took and gave back is known, whatever came of them, and the balances add up', async () => {
  const shop = await startTestShop()
  const [open, won, lost, again] = [
    await aChargeback(shop),
    await aChargeback(shop),
    await aChargeback(shop, 1000),
    await aChargeback(shop),
  ]
  // Nobody has told the shop of them yet.
  const before = await shown(shop)
  expect(before.onlyAtGateway).toHaveLength(4)
  const idOf = async ({ paymentId, amount }: typeof open) =>
    (await openedDispute(shop, paymentId, '--amount', (amount / 100).toFixed(2))).id
  const ids = [await idOf(open), await idOf(won), await idOf(lost), await idOf(again)]
  expect(await shown(shop)).toMatchObject(AGREED)

  await decide(shop, won.id, { status: 'won' })
  await dispute(shop, 'won', ids[1], '--yes')
  await decide(shop, lost.id, { status: 'lost' })
  await dispute(shop, 'lost', ids[2], '--vat', 'bad-debt', '--yes')
  await decide(shop, again.id, { status: 'won' })
  await decide(shop, again.id, { status: 'new', stage: 'pre_arbitration' })
  await dispute(shop, 'won', ids[3], '--yes')
  await dispute(shop, 'open', again.paymentId, '--again')
  const after = await shown(shop)
  expect(after).toMatchObject(AGREED)
  expect(after.currencies).toMatchObject([
    { currency: 'EUR', isOff: false, chargebacks: '-130.00', representments: '60.00' },
  ])
})

test('what a dispute took that was won here is asked for until the gateway has given it back', async () => {
  const shop = await startTestShop()
  const one = await aChargeback(shop)
  const { id } = await openedDispute(shop, one.paymentId)
  await dispute(shop, 'won', id, '--yes')
  expect((await shown(shop)).onlyAtGateway).toMatchObject([{ kind: 'chargeback', amount: '-30.00' }])
  await decide(shop, one.id, { status: 'won' })
  expect(await shown(shop)).toMatchObject(AGREED)
})

test('a dispute that was lost, and that the gateway never booked, is missing there', async () => {
  const shop = await startTestShop()
  const { paymentId } = await aPurchase(shop)
  const { id } = await openedDispute(shop, paymentId)
  expect(await shown(shop)).toMatchObject(AGREED)
  await dispute(shop, 'lost', id, '--yes')
  expect((await shown(shop)).onlyInShop).toMatchObject([{ paymentId }])
})
