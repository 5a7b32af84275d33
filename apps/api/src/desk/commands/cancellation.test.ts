import { DAY_MS } from '@hedgerow/domain/dates'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aStatement, cancel, declare, letDaysPass } from '#testing/cancellations.ts'
import { eraseAccount } from '#testing/customers.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { connectionsOf, paymentRow } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { anOwner, connectionRow, daysBetween, renew } from '#testing/renewals.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)

const ended = (paymentId: string) =>
  until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))

/** So many days ago, as the tool takes it. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

const expireAll = async (ids: readonly string[]) => {
  for (const id of ids) expect((await ops('connection', 'expire', id, '--yes')).code).toBe(0)
}

describe('ops payment cancel', () => {
  test('shows what it comes to before it asks', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 10)
    const { out, code } = await ops('payment', 'cancel', paymentId)
    expect(out).toMatch(/Refund +20\n/)
    expect(out).toMatch(/Hedgerow 3/)
    expect(code).toBe(1)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ cancelled_at: null })
  })

  test('counts from when it was said, and is recorded', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 20)
    const asked = daysAgo(10)
    const { json } = await ops('payment', 'cancel', paymentId, '--asked-at', asked, '--yes', '--json')
    expect(json).toMatchObject({
      isNew: true,
      cancellation: { refund: 20, currency: 'EUR', cancelledAt: asked },
    })
    for (const { expires_at, removed_at } of await connectionsOf(shop, paymentId)) {
      expect(Number(expires_at)).toBeLessThanOrEqual(Date.now())
      expect(removed_at).not.toBeNull()
    }
    expect((await ops('payment', 'show', paymentId)).out).toMatch(/Cancelled +€20\.00\n/)
    const [row] = await connectionsOf(shop, paymentId)
    expect((await ops('connection', 'show', row?.id ?? '', '--json')).json.cancelled).toEqual([
      { paymentId, at: asked },
    ])
    expect((await ops('customer', 'show', customer.email)).out).toMatch(new RegExp(`${paymentId}.*cancelled`))
    const { rows } = await sql<{ command: string }>`
      select command from operator_actions where subject = ${paymentId} and outcome = 'done'`.execute(shop.db)
    expect(rows.map(({ command }) => command)).toContain('payment cancel')
  })

  test('leaves days that another payment bought, from when it was said', async () => {
    const { customer, paymentId, ids } = await anOwner(shop, { days: 5 })
    await renew(shop, customer, ids)
    await letDaysPass(shop, customer, 2)
    await ops('payment', 'cancel', paymentId, '--asked-at', daysAgo(1), '--yes')
    expect(daysBetween(new Date(), (await connectionRow(shop, ids[0] ?? '')).expires_at)).toBeCloseTo(9, 2)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ cancelled_minor: 400 })
  })

  test('goes beyond the 14 days only where that is said', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 18)
    const late = await ops('payment', 'cancel', paymentId, '--yes')
    expect(late.code).toBe(1)
    expect(late.err).toMatch(/^The 14 days .* ended on/)
    const { json } = await ops('payment', 'cancel', paymentId, '--late-allowed', '--yes', '--json')
    expect(json).toMatchObject({ isNew: true, cancellation: { refund: 12 } })
  })

  test.each([
    ['a time that is yet to come', ['--asked-at', new Date(Date.now() + DAY_MS).toISOString()], 1],
    ['a time before the payment', ['--asked-at', '2026-01-01T10:00Z'], 1],
  ])('refuses %s', async (_, args, code) => {
    const { paymentId } = await anOwner(shop)
    expect((await ops('payment', 'cancel', paymentId, '--yes', ...args)).code).toBe(code)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ cancelled_at: null })
  })

  test('refuses what there is not, and what is nobody’s any more', async () => {
    expect((await ops('payment', 'cancel', 'f'.repeat(32), '--yes')).code).toBe(1)
    const { customer, paymentId } = await anOwner(shop)
    await eraseAccount(shop, customer)
    expect((await ops('payment', 'cancel', paymentId, '--yes')).code).toBe(1)
  })

  test('is no difference to reconcile', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 10)
    await cancel(shop, customer, paymentId)
    await ended(paymentId)
    await until(async () => (await paymentRow(shop, paymentId)).is_invoiced)
    const { out } = await ops('reconcile', '--since', daysAgo(30).slice(0, 10))
    expect(out).not.toContain(paymentId)
  })
})

test('what the operator ended stays ended, though an extension is given back', async () => {
  const { customer, paymentId, ids } = await anOwner(shop)
  expect((await ops('refund', paymentId, '--amount', '29.00', '--yes')).code).toBe(0)
  await ended(paymentId)
  await letDaysPass(shop, customer, 20)
  await expireAll(ids)
  const shown = await ops('connection', 'show', ids[0] ?? '')
  expect(shown.out).toMatch(/Ended by hand at +\d\d\/\d\d\/\d{4}/)
  const extension = await renew(shop, customer, ids)
  expect((await ops('refund', extension.paymentId, '--yes')).code).toBe(0)
  await ended(extension.paymentId)
  for (const id of ids)
    expect(Number((await connectionRow(shop, id)).expires_at)).toBeLessThanOrEqual(Date.now())
})

describe('ops cancellation', () => {
  test('shows a statement with the time to cancel by and its message in lines, and closes it once', async () => {
    const statement = aStatement({ message: 'Please\nend it' })
    const { receivedAt } = (await declare(shop, statement)).body
    expect((await ops('overview')).out).toContain('1 cancellation was sent without logging in')
    const { out } = await ops('cancellation', 'show', statement.id)
    expect(out).toContain(`--asked-at ${receivedAt}`)
    expect(out).toContain('\n  Please\n  end it\n')
    expect((await ops('cancellation', 'close', statement.id)).out).toMatch(/^Recorded\.\n/)
    expect((await ops('cancellation', 'close', statement.id)).out).toMatch(/^Already recorded: /)
    expect((await ops('cancellation', 'list', '--json')).json.rows).toEqual([])
    expect((await ops('cancellation', 'list', '--all')).out).toContain(statement.id)
    expect((await ops('cancellation', 'show', 'nothing')).code).toBe(1)
  })
})
