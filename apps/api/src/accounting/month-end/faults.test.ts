import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Month } from '#accounting/month-end/month.ts'
import type { Db } from '#platform/database/client.ts'
import { createBreaker, differing, more, remarksOf } from '#testing/months/break-books.ts'
import { liveMonth } from '#testing/months/live-month.ts'
import { drawMonth } from '#testing/months/times.ts'
import { OSS } from '#testing/oss-shops.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { chanceOf } from '#testing/torture/chance.ts'

const SEED = 11
const shop = shopOfFile({ env: { ...OSS, OSS_VAT_NUMBER: 'EU372000001' } })
const month: Month = drawMonth(chanceOf(SEED, 'month'), new Date())
const { after, one, whole, wholeInvoice, aNote, ofInvoice, ofNote, ofPayment } = createBreaker(shop, month)

beforeAll(async () => {
  await liveMonth(shop, { seed: SEED, month, deeds: 16 })
}, 120_000)

const FAULTS: readonly [
  what: string,
  write: (trx: Db) => Promise<unknown>,
  lines: string[],
  says?: RegExp,
][] = [
  [
    'an invoice that is gone',
    one(() => sql`delete from invoices where order_id = ${wholeInvoice()}`),
    ['invoice-series', 'invoices-of-payments', 'money-in'],
    /no document has this number, and no gap is recorded/,
  ],
  [
    'a number that is recorded as missing, and is not',
    one(
      () => sql`insert into invoice_gaps (year, first, last)
        select year, number, number from invoices where order_id = ${wholeInvoice()}`,
    ),
    ['invoice-series'],
    /given twice/,
  ],
  [
    'a number beyond the last',
    one(() => sql`update invoices set number = number + 5000 where order_id = ${wholeInvoice()}`),
    ['invoice-series'],
    /higher than the last one/,
  ],
  [
    'an invoice in the series of another year',
    ofInvoice(sql`year = year - 1, number = number + 5000`),
    ['invoice-series', 'invoices-of-payments', 'vat-return', 'vat-box-1'],
    /its invoice is of/,
  ],
  [
    'an invoice of another sum',
    ofInvoice(
      sql`snapshot = ${more('totalMinor')} || jsonb_build_object('netMinor', (snapshot ->> 'netMinor')::int + 1)`,
    ),
    ['invoices-of-payments', 'money-in'],
    /of another sum/,
  ],
  [
    'an order that is paid otherwise',
    ofPayment(sql`amount_minor = amount_minor + 1`),
    ['invoices-of-payments'],
    /of another sum/,
  ],
  [
    'a charge of another sum',
    ofPayment(sql`charged_minor = charged_minor + 1`),
    ['money-in', 'gateway-operations'],
    undefined,
  ],
  [
    'a payment that is said to be of another minute than its invoice',
    ofPayment(sql`ended_at = ended_at + interval '1 millisecond'`),
    ['invoices-of-payments'],
    /and its invoice says/,
  ],
  [
    'an order that was paid twice and kept',
    one(
      (within) => sql`update payments set order_id = (select order_id from payments where id = ${whole()})
        where id = (select id from payments where ended_at ${within} and is_invoiced and id > ${whole()}
          and refunded_minor = 0 and charged_currency = 'GBP' order by id limit 1)`,
    ),
    ['invoices-of-payments'],
    /more than one/,
  ],
  [
    'a penny of VAT too much',
    ofInvoice(sql`snapshot = ${more('vatMinor')}`),
    ['invoice-vat'],
    /not the total/,
  ],
  [
    'a rate that is not owed',
    ofInvoice(sql`snapshot = ${more('vatRate', 3)}`),
    ['invoice-vat'],
    /VAT is not/,
  ],
  [
    'a penny of sterling too much',
    ofInvoice(sql`snapshot = ${more('sterling.totalMinor')}`, 'EUR'),
    ['invoice-sterling'],
    /not its net and VAT at the rate given/,
  ],
  [
    'a rate that was never set',
    ofInvoice(sql`snapshot = ${more('sterling.rateMicro')}`, 'EUR'),
    ['invoice-sterling'],
    /none that was set/,
  ],
  [
    'a credit note that is gone',
    one(() => sql`delete from credit_notes where refund_id = ${aNote}`),
    ['credit-note-series', 'credit-notes-of-refunds', 'invoices-less-credit-notes'],
    /has no credit note/,
  ],
  [
    'a refund without a credit note',
    async (trx) => {
      await one(
        () => sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at, is_noted)
          select gen_random_uuid(), id, 100, 'operator', 'Success', ended_at, true from payments where id = ${whole()}`,
      )(trx)
    },
    ['refunds-of-payments', 'credit-notes-of-refunds', 'invoices-less-credit-notes', 'gateway-operations'],
    /has no credit note/,
  ],
  [
    'a payment that says that more went back',
    one(
      (within) => sql`update payments set refunded_minor = refunded_minor - 1
        where id = (select payment_id from refunds where status = 'Success' and ended_at ${within} order by id limit 1)`,
    ),
    ['refunds-of-payments'],
    /not the sum of its refunds/,
  ],
  [
    'a credit note of another sum',
    ofNote(
      sql`snapshot = ${more('totalMinor', 2)} || jsonb_build_object('netMinor', (snapshot ->> 'netMinor')::int + 2)`,
    ),
    ['credit-notes-of-refunds', 'invoices-less-credit-notes'],
    /of another sum/,
  ],
  [
    'a credit note whose VAT is a penny too much',
    ofNote(sql`snapshot = ${more('vatMinor')}`),
    ['credit-note-vat', 'invoices-less-credit-notes'],
    /net and VAT are not the total/,
  ],
  [
    'a credit note at another rate',
    ofNote(sql`snapshot = ${more('vatRate')}`),
    ['credit-note-vat'],
    /taxed otherwise/,
  ],
  [
    'a credit note that names no invoice that there is',
    ofNote(sql`snapshot = jsonb_set(snapshot, '{invoice,orderId}', to_jsonb(gen_random_uuid()))`),
    ['credit-notes-of-refunds'],
    /is not there/,
  ],
  [
    'an earning that was counted twice',
    one(
      (within) => sql`update earnings set amount_minor = 2 * amount_minor
        where payment_id = (select payment_id from earnings where earned_at ${within} order by 1 limit 1)`,
    ),
    ['partners-earnings', 'partners-books'],
    /earning/,
  ],
  [
    'a file for the bank in another currency than its withdrawals',
    one(
      (
        within,
      ) => sql`update payout_batches set currency = case currency when 'EUR' then 'GBP' else 'EUR' end where id = (
        select batch_id from payouts join withdrawals on withdrawals.id = withdrawal_id
        where released_at is null and withdrawals.status = 'paid' and withdrawals.ended_at ${within}
        order by 1 limit 1)`,
    ),
    ['payouts-in-files'],
    /is not in both/,
  ],
  [
    'a bad debt that was to have a credit note',
    one(
      (within) => sql`update disputes set vat = 'credit-note' where id = (
        select id from disputes where vat = 'bad-debt' and ended_at ${within} order by id limit 1)`,
    ),
    ['credit-notes-of-refunds', 'invoices-less-credit-notes'],
    /has no credit note/,
  ],
  [
    'a credit note of a dispute whose VAT stays due',
    one(
      (within) => sql`update disputes set vat = 'bad-debt' where id = (
        select id from disputes where vat = 'credit-note' and ended_at ${within} order by id limit 1)`,
    ),
    ['credit-notes-of-refunds', 'invoices-less-credit-notes'],
    /is a bad debt, and has a credit note/,
  ],
  [
    'a sale of the One Stop Shop that its return leaves out',
    one(
      (within) => sql`update invoices set year = year - 1, number = number + 5000 where order_id = (
        select order_id from invoices join payments using (order_id)
          where is_invoiced and refunded_minor = 0 and snapshot #>> '{vat,treatment}' = 'oss'
          and (snapshot ->> 'paidAt')::timestamptz ${within} order by order_id limit 1)`,
    ),
    ['invoice-series', 'invoices-of-payments', 'vat-return', 'oss-return'],
    /the documents come to net/,
  ],
  [
    'a withdrawal that the ledger paid in another month',
    one(
      (within) => sql`update ledger_transfers set created_at = created_at + interval '40 days'
        where id = (select id from ledger_transfers where kind = 'paid' and created_at ${within} order by id limit 1)`,
    ),
    ['withdrawals-paid'],
    /is not in both/,
  ],
]

const GATEWAY_FAULTS: typeof FAULTS = [
  [
    'a payment that the gateway has not booked',
    one(() => sql`delete from settlement_operations where kind = 'sale' and payment_id = ${whole()}`),
    ['gateway-operations', 'gateway-balance'],
    /the gateway has booked no sale/,
  ],
  [
    'a chargeback that nobody has recorded',
    one(
      (within) => sql`delete from disputes where id = (
        select id from disputes where status = 'open' and phase = 1 and opened_at ${within} order by id limit 1)`,
    ),
    ['gateway-operations'],
    /only the gateway knows of this chargeback/,
  ],
  [
    'a balance that is not what was booked',
    one(
      () => sql`update settlement_balances set minor = minor + 1 where at = ${month.to} and currency = 'EUR'`,
    ),
    ['gateway-balance'],
  ],
  [
    'an operation of another sum',
    one(
      () => sql`update settlement_operations set initial_minor = initial_minor + 1
        where kind = 'sale' and payment_id = ${whole()}`,
    ),
    ['gateway-operations'],
    /the shop has £[\d.]+, and operation/,
  ],
]

test.each([...FAULTS, ...GATEWAY_FAULTS])('finds %s', async (_, write, lines, says) => {
  const checked = await after(write)
  expect(differing(checked).map(({ id }) => id)).toEqual(lines)
  if (says) expect(remarksOf(checked)).toContainEqual(expect.stringMatching(says))
})

const WAITING: readonly [what: string, write: (trx: Db) => Promise<unknown>, kinds: string[]][] = [
  ['an invoice that is not issued yet', ofPayment(sql`is_invoiced = false`), ['no-invoice']],
  [
    'a refund that is not noted yet',
    one(() => sql`update refunds set is_noted = false where id = ${aNote}`),
    ['no-credit-note'],
  ],
  [
    'a refund that is still to be sent',
    one(
      () => sql`insert into refunds (id, payment_id, amount_minor, reason, is_by_hand, created_at)
        select gen_random_uuid(), id, 100, 'operator', true, ended_at from payments where id = ${whole()}`,
    ),
    ['open-refunds'],
  ],
  [
    'money that bought nothing and stays',
    one(
      (within) =>
        sql`update payments set refunded_minor = 0 where ended_at ${within} and received_minor is not null`,
    ),
    ['unasked-refunds'],
  ],
  [
    'a payment that does not end',
    one(
      () => sql`update payments set ended_at = null, status = 'processing', created_at = ${month.from}
        where id = (select id from payments where status = 'Decline' order by id limit 1)`,
    ),
    ['open-payments'],
  ],
  ['no rate of its own', (trx) => sql`delete from accounting_rates`.execute(trx), ['no-rate']],
  [
    'money that only the gateway knows',
    (trx) =>
      sql`insert into unknown_payments (payment_id, status, amount_minor, currency, first_told_at, last_told_at)
      values (${'f'.repeat(32)}, 'Success', 500, 'EUR', now(), now())`.execute(trx),
    ['unknown-payments'],
  ],
]

test.each(WAITING)('a month with %s cannot be closed', async (_, write, kinds) => {
  expect((await after(write)).waiting.map(({ kind }) => kind)).toEqual(kinds)
})

test('nothing differs, and nothing waits, in a month as the shop leaves it', async () => {
  const checked = await after(async () => undefined)
  expect(differing(checked)).toEqual([])
  expect(checked.waiting).toEqual([])
  // Each line has something to say.
  const silent = checked.lines.filter(({ left }) => Object.keys(left.sums).length === 0)
  expect(silent.map(({ id }) => id)).toEqual(['partners-books'])
})

test('a number that was lost with a shop, and is recorded as missing, is no fault', async () => {
  const checked = await after(async (trx) => {
    await sql`update invoice_counters set last = last + 3 where year = ${month.year}`.execute(trx)
    await sql`insert into invoice_gaps (year, first, last) select year, last - 2, last from invoice_counters
      where year = ${month.year}`.execute(trx)
  })
  expect(differing(checked)).toEqual([])
})

test('the accountant sees disputes that are undecided', async () => {
  const checked = await after(
    one(
      () => sql`update disputes set status = 'open', phase = 2, ended_at = null where id = (
        select id from disputes where status = 'won' and opened_at < ${month.to} order by id limit 1)`,
    ),
  )
  expect(checked.remarks).toContainEqual(expect.objectContaining({ kind: 'open-disputes' }))
})

test('the accountant sees invoices without sterling, and of those at the rate of an earlier month', async () => {
  const without = await after(ofInvoice(sql`snapshot = snapshot - 'sterling'`, 'EUR'))
  expect(without.remarks).toContainEqual(expect.objectContaining({ kind: 'no-sterling', count: 1 }))
  const early = sql`jsonb_set(snapshot, '{sterling,rateDay}', '"2020-02-01"')`
  const earlier = await after(ofInvoice(sql`snapshot = ${early}`, 'EUR'))
  expect(earlier.remarks).toContainEqual(expect.objectContaining({ kind: 'old-rate', count: 1 }))
})
