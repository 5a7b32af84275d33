import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { fetchDisputes, periodSince, watchDisputes } from '#money/disputes/fetch-disputes.ts'
import { createDataCall } from '#money/gateway/gate/data-call.ts'
import { WITHOUT_KEYS } from '#money/gateway/gateway.ts'
import {
  chargeBack,
  decide,
  dispute,
  disputesOf,
  mayAsk,
  openedDispute,
  sendNotice,
  watchedUntil,
} from '#testing/disputes.ts'
import { hurry } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase, paymentRow } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const askedFor = (shop: TestShop) =>
  shop.gateCalls.filter(({ path }) => path.includes('/data/v1/chargeback/'))

const DATA_API = ({ sandbox }: TestShop) => ({
  ...{ url: `${sandbox.url}/data/v1`, token: 'sandbox-token', secret: 'sandbox-secret' },
})

const fetch = async (shop: TestShop, ...args: string[]) =>
  (await dispute(shop, 'fetch', ...args, '--json')).json

/** Of the Gate alone. */
const watch = ({
  db,
  settings,
}: Pick<TestShop, 'db'> & { settings: Pick<TestShop['settings'], 'dataApi'> }) =>
  watchDisputes({ db, settings, gateways: { gate: WITHOUT_KEYS } })

describe('chargebacks that the gateway tells of', () => {
  test('become disputes after its notice, once, with the time to answer', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aPurchase(shop)
    const { id: gateId } = await chargeBack(shop, paymentId, { reason_code: '13.1' })
    await sendNotice(shop)
    await until(async () => (await shop.db.selectFrom('dispute_hints').selectAll().execute()).length === 1)
    await watchedUntil(shop, async () => (await disputesOf(shop, paymentId)).length === 1)
    expect(await disputesOf(shop, paymentId)).toMatchObject([
      {
        gate_id: String(gateId),
        gate_status: 'new',
        status: 'open',
        amount_minor: 3000,
        currency: 'EUR',
        reason: '13.1',
        reason_group: 'consumer',
      },
    ])
    await until(async () => {
      const hints = await shop.db.selectFrom('dispute_hints').select('checked_at').execute()
      return hints.every(({ checked_at }) => checked_at !== null)
    })
    expect(await fetch(shop)).toMatchObject({ new: 0, changed: 0, known: 1, unfiled: 0 })
    expect(await disputesOf(shop, paymentId)).toHaveLength(1)
  })

  test('are asked for at most once in minutes, whatever strangers say, and in however many processes', async () => {
    const shop = await startTestShop()
    await aPurchase(shop)
    await Promise.all([watch(shop), watch(shop), watch(shop)])
    expect(askedFor(shop)).toHaveLength(1)
    for (let i = 0; i < 5; i++)
      await shop.call('POST', '/api/v1/payment/chargebacks', { body: { type: 'new_chargebacks_summary' } })
    await watch(shop)
    expect(askedFor(shop)).toHaveLength(1)
    await mayAsk(shop)
    await watch(shop)
    expect(askedFor(shop)).toHaveLength(2)
    // There was no notice since, and a day is not over.
    await mayAsk(shop)
    await watch(shop)
    expect(askedFor(shop)).toHaveLength(2)
    await sql`update dispute_watch set fetched_at = now() - interval '25 hours'`.execute(shop.db)
    await mayAsk(shop)
    await watch(shop)
    expect(askedFor(shop)).toHaveLength(3)
  })

  test('that are decided there are decided here, with all that follows, and go on if the bank does', async () => {
    const shop = await startTestShop()
    const [won, lost] = await Promise.all([aPurchase(shop), aPurchase(shop)])
    const [first, second] = [await chargeBack(shop, won.paymentId), await chargeBack(shop, lost.paymentId)]
    expect(await fetch(shop)).toMatchObject({ new: 2 })
    await decide(shop, first.id, { status: 'won' })
    await decide(shop, second.id, { status: 'lost' })
    expect(await fetch(shop)).toMatchObject({ new: 0, changed: 2 })
    expect(await disputesOf(shop, won.paymentId)).toMatchObject([{ status: 'won' }])
    expect(await disputesOf(shop, lost.paymentId)).toMatchObject([{ status: 'lost', vat: 'credit-note' }])
    expect(await refundsOf(shop, lost.paymentId)).toMatchObject([{ reason: 'dispute', amount_minor: 3000 }])
    await decide(shop, first.id, { stage: 'pre_arbitration', status: 'new' })
    await fetch(shop)
    expect(await disputesOf(shop, won.paymentId)).toMatchObject([{ status: 'open', phase: 2 }])
    await decide(shop, first.id, { status: 'lost' })
    // What happened between two questions is made up for.
    await fetch(shop)
    expect(await disputesOf(shop, won.paymentId)).toMatchObject([{ status: 'lost' }])
    expect((await paymentRow(shop, won.paymentId)).refunded_minor).toBe(3000)
  })

  test('that the operator has opened before are the same', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aPurchase(shop)
    const opened = await openedDispute(shop, paymentId)
    const { id: gateId } = await chargeBack(shop, paymentId)
    expect(await fetch(shop)).toMatchObject({ new: 0, changed: 1 })
    expect(await disputesOf(shop, paymentId)).toMatchObject([{ id: opened.id, gate_id: String(gateId) }])
    const { out } = await dispute(shop, 'show', opened.id)
    expect(out).toMatch(new RegExp(`At the gateway +${gateId}, 'new'`))
  })

  test('of payments that are not here are shown, not invented, until an operator has looked', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aPurchase(shop)
    const { id: gateId } = await chargeBack(shop, paymentId)
    // As after a restore: the gateway knows more.
    const twin = paymentId.replace(/^./, (one) => (one === '0' ? '1' : '0'))
    await sql`set session_replication_role = replica`.execute(shop.db)
    await shop.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await sql`update payments set id = ${twin} where id = ${paymentId}`.execute(trx)
    })
    expect(await fetch(shop)).toMatchObject({ new: 0, unfiled: 1 })
    expect(await fetch(shop)).toMatchObject({ unfiled: 1 })
    expect((await dispute(shop, 'list')).out).toBe('There are none.\n')
    const { unfiled } = (await dispute(shop, 'hints', '--json')).json
    expect(unfiled).toMatchObject([
      { gatewayId: String(gateId), paymentId, why: 'There is no such payment.' },
    ])
    const alerts = async () =>
      (await runOps(opsSettings(shop), 'overview', '--json')).json.alerts.map(
        ({ name }: { name: string }) => name,
      )
    expect(await alerts()).toContain('DisputeHint')
    expect((await dispute(shop, 'checked', '--yes', '--json')).json).toEqual({ checked: 1 })
    await fetch(shop)
    expect(await alerts()).not.toContain('DisputeHint')
    expect((await dispute(shop, 'checked', '--yes', '--json')).json).toEqual({ checked: 0 })
  })

  test('more than the payment was are not filed', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aPurchase(shop)
    await runOps(opsSettings(shop), 'dispute', 'open', paymentId, '--amount', '20')
    await chargeBack(shop, paymentId)
    expect(await fetch(shop)).toMatchObject({ unfiled: 1 })
    const { unfiled } = (await dispute(shop, 'hints', '--json')).json
    expect(unfiled).toMatchObject([{ why: 'That is more than is left of the payment.' }])
  })
})

describe('what the gateway’s list does not bring', () => {
  test('is asked for by its id where a notice has named it, also when it was won', async () => {
    const shop = await startTestShop()
    const [won, other] = await Promise.all([aPurchase(shop), aPurchase(shop)])
    const chargebacks = [await chargeBack(shop, won.paymentId), await chargeBack(shop, other.paymentId)]
    await fetch(shop)
    for (const { id } of chargebacks) await decide(shop, id, { status: 'won' })
    await fetch(shop)
    for (const { id } of chargebacks) await decide(shop, id, { stage: 'pre_arbitration', status: 'new' })
    await shop.call('POST', '/api/v1/payment/chargebacks', {
      body: { type: 'new_pre_arbitration', chargebacks: [{ payment_id: won.paymentId }] },
    })
    // A list by the day on which chargebacks came, long ago.
    const call = (path: string, question: object) =>
      path === 'chargeback/list'
        ? Promise.resolve({ chargebacks: [] })
        : createDataCall(DATA_API(shop))(path, question)
    await fetchDisputes({ ...shop, call }, periodSince(null, new Date()))
    expect(await disputesOf(shop, won.paymentId)).toMatchObject([{ status: 'open', phase: 2 }])
    expect(await disputesOf(shop, other.paymentId)).toMatchObject([{ status: 'won' }])
  })

  test('and what cannot be filed hold up no other, and are shown', async () => {
    const shop = await startTestShop()
    const purchases = await Promise.all([aPurchase(shop), aPurchase(shop), aPurchase(shop)])
    const [moved, good] = purchases.map(({ paymentId }) => paymentId) as [string, string]
    const { id: first } = await chargeBack(shop, moved)
    await fetch(shop)
    const item = (chargeback_id: unknown, payment_id: string) => ({
      ...{ chargeback_id, payment_id, status: 'new', reason_code: '10.4' },
      sum_initial: { amount: 3000, currency: 'EUR' },
    })
    // Without an id, and one that is known of another payment.
    const chargebacks = [item(undefined, good), item(String(first), good), item('later', good)]
    const call = (path: string) =>
      Promise.resolve(path === 'chargeback/list' ? { chargebacks } : { chargeback: null })
    await expect(fetchDisputes({ ...shop, call }, periodSince(null, new Date()))).rejects.toThrow(
      'The gateway’s Data API lists a chargeback without an id.',
    )
    expect(await disputesOf(shop, good)).toMatchObject([{ gate_id: 'later', status: 'open' }])
    expect(await disputesOf(shop, moved)).toMatchObject([{ gate_id: String(first) }])
    expect((await paymentRow(shop, good)).disputed_minor).toBe(3000)
  })
})

describe('a gateway that does not answer', () => {
  test('is asked again, and the hint waits', async () => {
    const shop = await startTestShop({
      env: { DATA_API_URL: 'http://127.0.0.1:9', DATA_API_TOKEN: 't', DATA_API_SECRET: 's' },
    })
    const { paymentId } = await aPurchase(shop)
    await chargeBack(shop, paymentId)
    await sendNotice(shop)
    await until(async () => (await shop.db.selectFrom('dispute_hints').selectAll().execute()).length === 1)
    await hurry(shop, 'watch-disputes')
    await until(
      async () =>
        (await shop.db.selectFrom('dispute_watch').select('asked_at').executeTakeFirst())?.asked_at != null,
    )
    expect(await shop.db.selectFrom('dispute_hints').select('checked_at').execute()).toEqual([
      { checked_at: null },
    ])
    const { code, err } = await runOps({ ...opsSettings(shop), ...shop.env }, 'dispute', 'fetch')
    expect([code, err]).toEqual([
      3,
      'The gateway’s Data API did not answer (chargeback/list: ECONNREFUSED).\n',
    ])
    // It is there again.
    await mayAsk(shop)
    await watch({ ...shop, settings: { dataApi: DATA_API(shop) } })
    expect(await disputesOf(shop, paymentId)).toHaveLength(1)
  })
})
