import { DAY_MS } from '@hedgerow/domain/dates'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aStatement, cancel, declare, letDaysPass } from '#testing/cancellations.ts'
import { eraseAccount } from '#testing/customers.ts'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
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
  test('shows what it comes to, and does it when that is meant', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 10)
    const asked = await ops('payment', 'cancel', paymentId)
    expect(asked.code).toBe(1)
    expect(asked.err).toContain(
      `Cancel payment ${paymentId}? €20.00 goes back. It ends Hedgerow 1 at once, Hedgerow 2 at once, Hedgerow 3 at once.`,
    )
    expect(await paymentRow(shop, paymentId)).toMatchObject({ cancelled_at: null })
    const typed = await runOpsAtTerminal(opsSettings(shop), 'y\n', 'payment', 'cancel', paymentId)
    expect(typed.out).toContain(`Cancelled: payment ${paymentId}`)
    await ended(paymentId)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 2000 })
    expect((await mailbox(shop).latest(customer.email, 'You have cancelled')).text).toContain('€20.00')
    const again = await ops('payment', 'cancel', paymentId, '--yes', '--json')
    expect(again.json).toMatchObject({ isChanged: false, paymentId, refund: 20 })
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
  })

  test('counts from when it was said, and is recorded', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 20)
    const told = daysAgo(10)
    const { json } = await ops('payment', 'cancel', paymentId, '--told', told, '--yes', '--json')
    expect(json).toMatchObject({ isChanged: true, refund: 20, currency: 'EUR', cancelledAt: told })
    for (const { expires_at, removed_at } of await connectionsOf(shop, paymentId)) {
      expect(Number(expires_at)).toBeLessThanOrEqual(Date.now())
      expect(removed_at).not.toBeNull()
    }
    const shown = await ops('payment', paymentId)
    expect(shown.out).toMatch(/Cancelled +\d\d\/\d\d\/\d{4} \d\d:\d\d; €20\.00 to be refunded/)
    const [row] = await connectionsOf(shop, paymentId)
    expect((await ops('connection', 'show', row?.id ?? '', '--json')).json.cancelled).toEqual([
      { paymentId, at: told },
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
    await ops('payment', 'cancel', paymentId, '--told', daysAgo(1), '--yes')
    expect(daysBetween(new Date(), (await connectionRow(shop, ids[0] ?? '')).expires_at)).toBeCloseTo(9, 2)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ cancelled_minor: 400 })
  })

  test('goes beyond the 14 days only where that is said', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 18)
    const late = await ops('payment', 'cancel', paymentId, '--yes')
    expect(late.code).toBe(1)
    expect(late.err).toMatch(/^Not cancelled\. The 14 days .* ended on/)
    const { json } = await ops('payment', 'cancel', paymentId, '--although', '--yes', '--json')
    expect(json).toMatchObject({ isChanged: true, refund: 12 })
  })

  test.each([
    ['a time that is yet to come', ['--told', new Date(Date.now() + DAY_MS).toISOString()], 2],
    ['a time before the payment', ['--told', '2026-01-01T10:00Z'], 1],
  ])('refuses %s', async (_, args, code) => {
    const { paymentId } = await anOwner(shop)
    expect((await ops('payment', 'cancel', paymentId, '--yes', ...args)).code).toBe(code)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ cancelled_at: null })
  })

  test('refuses what there is not, and what is nobody’s any more', async () => {
    expect((await ops('payment', 'cancel', 'f'.repeat(32), '--yes')).err).toContain('Not cancelled.')
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
  expect((await ops('refund', paymentId, '29.00', '--yes', '--wait')).code).toBe(0)
  await letDaysPass(shop, customer, 20)
  await expireAll(ids)
  const shown = await ops('connection', 'show', ids[0] ?? '')
  expect(shown.out).toMatch(/Ended by hand at +\d\d\/\d\d\/\d{4}/)
  const extension = await renew(shop, customer, ids)
  expect((await ops('refund', extension.paymentId, '--yes', '--wait')).code).toBe(0)
  for (const id of ids)
    expect(Number((await connectionRow(shop, id)).expires_at)).toBeLessThanOrEqual(Date.now())
})

describe('ops cancellation', () => {
  test('shows a statement with the time to cancel by and its message in lines, and closes it once', async () => {
    const statement = aStatement({ message: 'Please\nend it' })
    const { receivedAt } = (await declare(shop, statement)).body
    expect((await ops('overview')).out).toContain('1 cancellation was sent without logging in')
    const { out } = await ops('cancellation', 'show', statement.id)
    expect(out).toContain(`--told ${receivedAt}`)
    expect(out).toContain('\n  Please\n  end it\n')
    expect((await ops('cancellation', 'close', statement.id)).out).toMatch(/^Recorded\.\n/)
    expect((await ops('cancellation', 'close', statement.id)).out).toMatch(/^Already recorded: /)
    expect((await ops('cancellation', 'list', '--json')).json.statements).toEqual([])
    expect((await ops('cancellation', 'list', '--all')).out).toContain(statement.id)
    expect((await ops('cancellation', 'show', 'nothing')).code).toBe(1)
  })
})
