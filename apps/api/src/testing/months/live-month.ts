import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { insertAccountingRate } from '#invoices/sterling.ts'
import type { Month } from '#month-end/month.ts'
import { creditPartners } from '#partnership/earnings.service.ts'
import { eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { type Dated, type DatedWithdrawal, dateSale, dateWithdrawal } from '#testing/months/clocks.ts'
import { CERTAIN, DEEDS, type Deed, payOtherSum } from '#testing/months/deeds.ts'
import { takeReport } from '#testing/months/gateway-report.ts'
import { drawTime } from '#testing/months/times.ts'
import type { World } from '#testing/months/world.ts'
import { setRate } from '#testing/payment-methods.ts'
import type { TestShop } from '#testing/test-shop.ts'
import { type Chance, chanceOf } from '#testing/torture/chance.ts'

const LANES = 4
const INVOICING = 'issue-invoices'

/** Nothing is numbered while its date is not yet the one that it is to have. */
const holdInvoicing = (shop: Pick<TestShop, 'db'>): Promise<boolean> =>
  until(async () => {
    await sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at := now() + interval '1 hour')
      from graphile_worker.jobs where task_identifier = ${INVOICING} and locked_at is null`.execute(shop.db)
    const { rows } = await sql<{ held: boolean }>`
      select coalesce(bool_and(locked_at is null and run_at > now() + interval '30 minutes'), false) as held
      from graphile_worker.jobs where task_identifier = ${INVOICING}`.execute(shop.db)
    return rows[0]?.held === true
  })

const REFUND_MAIL = 'mail-refund'

/** The mail of a refund has its credit note with it, and issues that where it is the first to want it. It waits, too. */
const holdRefundMails = async ({ db }: Pick<TestShop, 'db'>): Promise<void> => {
  await sql`create or replace function hold_refund_mail() returns trigger language plpgsql as $$
    begin
      new.run_at := now() + interval '1 hour';
      return new;
    end $$`.execute(db)
  const { rows } = await sql<{ id: number }>`
    select id from graphile_worker._private_tasks where identifier = ${REFUND_MAIL}`.execute(db)
  await sql`create or replace trigger hold_refund_mail before insert on graphile_worker._private_jobs
    for each row when (new.task_id = ${sql.lit(rows[0]?.id)}) execute function hold_refund_mail()`.execute(db)
}

const sendRefundMails = async (shop: Pick<TestShop, 'db'>): Promise<void> => {
  await sql`drop trigger hold_refund_mail on graphile_worker._private_jobs`.execute(shop.db)
  await hurry(shop, REFUND_MAIL)
}

/** Every sale has its invoice, and every refund what it means to the books. */
const issuePapers = async (shop: TestShop): Promise<void> => {
  await until(async () => {
    await hurry(shop, INVOICING)
    const { rows } = await sql`
      select from payments where status = 'Success' and not refund_due and not is_invoiced
      union all select from refunds where status = 'Success' and not is_noted`.execute(shop.db)
    return rows.length === 0
  })
  await holdInvoicing(shop)
}

/** Of the month, the one before and the one after: something of it may fall into either. */
const setRates = async (shop: TestShop, chance: Chance, { from, to, firstDay }: Month): Promise<void> => {
  const dayOf = (at: number) => `${new Date(at).toISOString().slice(0, 7)}-01`
  const days = [dayOf(from.getTime() - 10 * 86_400_000), firstDay, dayOf(to.getTime() + 86_400_000)]
  for (const day of days) {
    const rateMicro = 1_100_000 + chance.below(150_000)
    await insertAccountingRate(shop.db, 'sterling', { currency: 'EUR', day, rateMicro })
  }
  for (const currency of ['EUR', 'GBP'] as const)
    await setRate(shop, currency, 4_000_000 + chance.below(1_000_000))
}

const drawDeed = (chance: Chance): Deed => {
  const all = DEEDS.flatMap(([often, deed]) => Array.from({ length: often }, () => deed))
  return chance.pick(all)
}

/** A customer's country, where the shop asks for it; often none, as under the scheme that does not. */
const COUNTRIES = [null, null, null, 'GB', 'DE', 'FI', 'FR', 'US'] as const

type Lived = { month: Month; paymentIds: string[]; withdrawalIds: string[] }

/**
 * A month of a shop, made by the shop itself with its gateway: so many things happen, as a seed says. They are lived now, a
 * few at a time, and dated afterwards (clocks.ts). Then the shop issues its papers, and some customers leave.
 */
export const liveMonth = async (
  shop: TestShop,
  { seed, month, deeds }: { seed: number; month: Month; deeds: number },
): Promise<Lived> => {
  const dated: Dated[] = []
  const withdrawals: DatedWithdrawal[] = []
  const leaving: TestCustomer[] = []
  const world: World = {
    shop,
    month,
    date: (paymentId, chance) =>
      dated.push({
        paymentId,
        paidAt: drawTime(chance, month),
        refundedAt: Array.from({ length: 5 }, () => drawTime(chance, month)),
        country: chance.pick(COUNTRIES),
      }),
    dateWithdrawal: (id, draw) => {
      const [askedAt, endedAt] = [draw(), draw()].toSorted((one, other) => Number(one) - Number(other))
      if (askedAt && endedAt) withdrawals.push({ id, askedAt, endedAt })
    },
    leave: (customer) => leaving.push(customer),
    credit: async () => {
      await creditPartners(shop)
    },
  }
  await holdInvoicing(shop)
  await holdRefundMails(shop)
  await setRates(shop, chanceOf(seed, 'rates'), month)
  const drawn = Array.from({ length: deeds }, (_, at) => drawDeed(chanceOf(seed, `kind ${at}`)))
  const todo = [...CERTAIN, ...drawn].map((deed, at) => ({ deed, chance: chanceOf(seed, `deed ${at}`) }))
  const lane = async () => {
    for (let next = todo.shift(); next; next = todo.shift()) await next.deed(world, next.chance)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await payOtherSum(world, chanceOf(seed, 'other sum'))
  await world.credit()
  for (const one of dated) await dateSale(shop, one)
  for (const one of withdrawals) await dateWithdrawal(shop, one)
  for (const customer of leaving) await eraseAccount(shop, customer)
  await issuePapers(shop)
  await sendRefundMails(shop)
  await takeReport(shop)
  return {
    month,
    paymentIds: dated.map(({ paymentId }) => paymentId),
    withdrawalIds: withdrawals.map(({ id }) => id),
  }
}
