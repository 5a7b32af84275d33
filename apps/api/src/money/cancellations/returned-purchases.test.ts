import { randomInt } from 'node:crypto'
import { isTestCard, passesLuhn } from '@hedgerow/domain/cards'
import { MOST_OPEN, RETURN_LIMITS } from '@hedgerow/domain/returned-purchases'
import { OWN_CARDS, TEST_CARDS } from '@hedgerow/sandbox/card/test-cards'
import type { CallOptions } from '@hedgerow/testing/call'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { cancel, letDaysPass, refundsEnded } from '#testing/cancellations.ts'
import { aCustomer, eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { metric } from '#testing/metrics.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { connectionsOf, pay, reached } from '#testing/payments.ts'
import { type Front, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' } })

const { account: ACCOUNT, card: CARD, network: NETWORK } = RETURN_LIMITS

/** The same shop, called from an address of the internet; by itself, from another one each time. */
const from = (address?: string): Pick<Front, 'call'> => ({
  call: (method, path, options: CallOptions = {}) => {
    const forwarded = address ?? `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
    return shop.call(method, path, { ...options, headers: { 'x-forwarded-for': forwarded } })
  },
})

/** Another card each time, which is paid with at once. */
const aCard = (): string => {
  const start = `4477${String(randomInt(1e11)).padStart(11, '0')}`
  return [...'0123456789'].map((digit) => start + digit).find(passesLuhn) as string
}

const tryToBuy = async (buyer: TestCustomer, pan: string, address?: string) =>
  pay(from(address), buyer, await anOrder(from(address), buyer, { days: 1 }), { pan })

const buys = async (buyer: TestCustomer, pan: string, address?: string): Promise<string> => {
  const { status, text, body } = await tryToBuy(buyer, pan, address)
  expect(status, text).toBe(200)
  await reached(shop, body.paymentId, 'Success')
  return body.paymentId
}

const cancels = (buyer: TestCustomer, paymentId: string) => cancel({ ...shop, ...from() }, buyer, paymentId)

const buysAndCancels = async (buyer: TestCustomer, pan: string, address?: string) => {
  const paymentId = await buys(buyer, pan, address)
  expect((await cancels(buyer, paymentId)).status).toBe(200)
  await refundsEnded(shop, paymentId)
}

const expectWait = async (buyer: TestCustomer, pan: string, words: RegExp, address?: string) => {
  const { body } = expectProblem(await tryToBuy(buyer, pan, address), 429)
  expect(body).toMatchObject({ code: 'payments-paused', until: expect.any(String) })
  expect(body.detail).toMatch(words)
  expect(body.detail).toContain('Nothing was charged.')
}

const daysPass = (days: number) =>
  sql`update returned_purchases set returned_at = returned_at - make_interval(days => ${days})`.execute(
    shop.db,
  )

const letsBuy = async ({ email }: TestCustomer) => {
  const { code, err } = await runOps(opsSettings(shop), 'customer', 'let-buy', email)
  expect(code, err).toBe(0)
}

test('the gateway’s test cards are known, since everyone who tries a shop uses them', () => {
  const pays = [...TEST_CARDS, ...OWN_CARDS].filter(({ code }) => code === '0')
  expect(pays.filter(({ pan }) => !isTestCard(pan))).toEqual([])
})

/** As many of others as are too many for the network of this size that the customer bought from. */
const othersReturn = ({ id }: TestCustomer, times: number) =>
  sql`insert into returned_purchases (kind, key, payment_id, times)
    select kind, key, 'as many of others ' || n, times
    from returned_purchases, generate_series(2, ${NETWORK.most * times}) as n
    where kind = 'network' and times = ${times} and payment_id in (select id from payments where customer_id = ${id})`.execute(
    shop.db,
  )

const LONG = { timeout: 120_000 }

describe('buying and cancelling', LONG, () => {
  test('ends for the account after five in 30 days, whatever card; what was bought can still be cancelled', async () => {
    const buyer = await aCustomer(shop)
    const kept = await buys(buyer, aCard())
    for (let i = 0; i < ACCOUNT.most; i++) await buysAndCancels(buyer, aCard())
    await expectWait(
      buyer,
      aCard(),
      /^Many of your purchases have been cancelled lately or still can be, .* Write to us/,
    )
    expect((await cancels(buyer, kept)).status).toBe(200)
    await daysPass(ACCOUNT.days)
    await buys(buyer, aCard())
  })

  test('ends for the card, in whatever account, also when the accounts are deleted in between', async () => {
    const pan = aCard()
    for (let i = 0; i < CARD.most; i++) {
      const buyer = await aCustomer(shop)
      await buysAndCancels(buyer, pan)
      expect((await eraseAccount(shop, buyer)).status).toBe(200)
    }
    const buyer = await aCustomer(shop)
    await expectWait(buyer, pan, /^Many purchases with this card .* Use another card/)
    await buys(buyer, aCard())
    const { rows } = await sql`select from returned_purchases where kind = 'account' and payment_id in (
      select id from payments where customer_id is null)`.execute(shop.db)
    expect(rows).toEqual([])
  })

  test('ends for a network after more, for a day, but for one purchase of each account; an operator lifts it', async () => {
    const address = '10.7.7.7'
    const one = await aCustomer(shop)
    await buysAndCancels(one, aCard(), address)
    await othersReturn(one, 1)
    const other = await aCustomer(shop)
    await buys(other, aCard(), address)
    await expectWait(other, aCard(), /^Many purchases from your internet connection /, address)
    await buys(other, aCard())
    await letsBuy(other)
    await buys(other, aCard(), address)
    await expectWait(one, aCard(), /^Many purchases from your internet connection /, address)
    await daysPass(NETWORK.days)
    await buys(other, aCard(), address)
  })

  test('ends for the larger networks around it, too, however often the address changes', async () => {
    const one = await aCustomer(shop)
    await buysAndCancels(one, aCard(), '2001:db8:7:100::1')
    const wait = /^Many purchases from your internet connection /
    const other = await aCustomer(shop)
    await buys(other, aCard(), '2001:db8:7:200::1')
    await buys(other, aCard(), '2001:db8:7:300::1')
    await othersReturn(one, 4)
    await expectWait(other, aCard(), wait, '2001:db8:7:400::1')
    await buys(other, aCard(), '2001:db8:8::1')
  })

  test('alerts the operator, who can let honest customers buy again, also with a card that others share', async () => {
    const buyer = await aCustomer(shop)
    const pan = aCard()
    const ops = (...words: string[]) => runOps(opsSettings(shop), ...words)
    await daysPass(1)
    expect((await ops('overview')).out).not.toContain('CancelledOften')
    for (let i = 0; i < ACCOUNT.most; i++) await buysAndCancels(buyer, pan)
    expect((await ops('overview')).out).toMatch(
      /CancelledOften +5 cancelled purchases make the next one wait/,
    )
    expect(await metric(shop, 'hedgerow_waiting_for_operator', { what: 'cancelled_often' })).toBe(5)
    await expectWait(buyer, pan, /./)
    const relative = await aCustomer(shop)
    await expectWait(relative, pan, /^Many purchases with this card /)
    await letsBuy(relative)
    await buys(relative, pan)
    await expectWait(await aCustomer(shop), pan, /^Many purchases with this card /)
    await letsBuy(buyer)
    await buys(buyer, pan)
  })

  test('first many, then cancelling all, ends for the account after ten that still can be, and one for each that it kept', async () => {
    const buyer = await aCustomer(shop)
    const kept = await buys(buyer, aCard())
    await letDaysPass(shop, buyer, 17)
    const open: string[] = []
    for (let i = 0; i <= MOST_OPEN; i++) open.push(await buys(buyer, aCard()))
    const wait = () =>
      expectWait(buyer, aCard(), /^Many of your purchases have been cancelled lately or still can be/)
    await wait()
    for (const paymentId of open) expect((await cancels(buyer, paymentId)).status).toBe(200)
    await wait()
    expect((await cancels(buyer, kept)).status).toBe(409)
    await letsBuy(buyer)
    await buys(buyer, aCard())
  })

  test('counts what went back with what still can, by the card in whatever account', async () => {
    const pan = aCard()
    const [first, second] = [await aCustomer(shop), await aCustomer(shop)]
    const owned = await connectionsOf(shop, await buys(first, aCard()))
    const renew = owned.map(({ id }) => id)
    for (let i = 1; i < CARD.most; i++) await buysAndCancels(second, pan)
    for (let i = CARD.most; i <= MOST_OPEN; i++) {
      const { body } = await pay(from(), first, await anOrder(from(), first, { days: 1, renew }), { pan })
      await reached(shop, body.paymentId, 'Success')
    }
    const third = await aCustomer(shop)
    await expectWait(third, pan, /^Many purchases with this card have been cancelled lately or still can be/)
    await buys(third, aCard())
    await letDaysPass(shop, first, 16)
    await buys(third, pan)
  })

  test('does not stop someone who extends from day to day: what is used up cannot be cancelled', async () => {
    const buyer = await aCustomer(shop)
    const pan = aCard()
    const owned = await connectionsOf(shop, await buys(buyer, pan))
    const renew = owned.map(({ id }) => id)
    for (let i = 0; i < MOST_OPEN + 2; i++) {
      await letDaysPass(shop, buyer, 1)
      const { status, text, body } = await pay(
        from(),
        buyer,
        await anOrder(from(), buyer, { days: 1, renew }),
        { pan },
      )
      expect(status, text).toBe(200)
      await reached(shop, body.paymentId, 'Success')
    }
  })
})
