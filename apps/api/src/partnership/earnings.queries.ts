import type { CurrencyCode } from '@hedgerow/domain/money'
import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '#database/client.ts'
import type { EarningsTable } from '#database/tables/partnership.table.ts'

/** Where a run stands among what is due: what failed is passed by, and tried again in the next run. */
export type Place = { id: string; at: string }

/**
 * Paid, for a partner, and not credited yet; in the order in which they were paid. `at` is a text, because a Date would
 * lose the microseconds that the next page starts after.
 */
export const listUncredited = (db: Db, limit: number, after: Place | undefined) =>
  db
    .selectFrom('payments')
    .select(['id', 'order_id', sql<string>`ended_at::text`.as('at')])
    .where('status', '=', 'Success')
    .where('partner_id', 'is not', null)
    .where('refund_due', '=', false)
    .where('is_credited', '=', false)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(ended_at, id) > (${after?.at}::timestamptz, ${after?.id})`),
    )
    .orderBy('ended_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/**
 * Nobody's lock holds up a run for long: it goes on with the next payment, and comes back in two seconds. Held for the
 * transaction only.
 */
export const waitBriefly = async (trx: Trx): Promise<void> => {
  await sql`set local lock_timeout = '3s'`.execute(trx)
}

/** Of many who come for the same payment, one gets it, and the others nothing. */
export const claimUncredited = (trx: Trx, paymentId: string) =>
  trx
    .updateTable('payments')
    .set({ is_credited: true })
    .where('id', '=', paymentId)
    .where('status', '=', 'Success')
    .where('is_credited', '=', false)
    .where('refund_due', '=', false)
    .returning([
      'id',
      'partner_id',
      'promocode',
      'amount_minor',
      'currency',
      'charged_minor',
      'refunded_minor',
      'ended_at',
    ])
    .executeTakeFirst()

/**
 * How many transactions a partner had when this payment was completed: those that count now, less what was completed after
 * it, and with what was completed before it and has been given back since, or is yet to be credited. To be called with
 * the partner locked.
 */
export const transactionsBefore = async (
  trx: Trx,
  partner: { customer_id: string; transactions: number },
  paymentId: string,
): Promise<number> => {
  const { rows } = await sql<{ moved: number }>`
    with this as (select id, ended_at from payments where id = ${paymentId}),
    credited as (
      select payments.id, earnings.is_refunded, (payments.ended_at, payments.id) > (this.ended_at, this.id) as is_later,
        this.ended_at as time
      from this, earnings join payments on payments.id = earnings.payment_id
      where earnings.partner_id = ${partner.customer_id} and payments.id <> this.id
        and (earnings.is_refunded or earnings.earned_at >= this.ended_at)
    )
    select (
      (select count(*) from credited where is_refunded and not is_later and exists (
        select from refunds where payment_id = credited.id and status = 'Success' and ended_at > credited.time))
      + (select count(*) from this, payments
        where partner_id = ${partner.customer_id} and status = 'Success' and not refund_due and not is_credited
          and refunded_minor < charged_minor and (payments.ended_at, payments.id) < (this.ended_at, this.id))
      - (select count(*) from credited where is_later and not is_refunded)
    )::integer as moved`.execute(trx)
  return partner.transactions + (rows[0]?.moved ?? 0)
}

/** The hold is counted from the payment's end, by the database's clock. */
export const insertEarning = async (
  trx: Trx,
  row: Omit<Insertable<EarningsTable>, 'available_at' | 'matured_at'>,
  endedAt: Date,
  holdDays: number,
): Promise<void> => {
  await trx
    .insertInto('earnings')
    .values({ ...row, available_at: sql<Date>`${endedAt}::timestamptz + make_interval(days => ${holdDays})` })
    .execute()
}

/** Of the partner whom it credits. To be called with the partner locked. */
export const addTransaction = async (trx: Trx, partnerId: string, isByPromocode: boolean): Promise<void> => {
  await trx
    .updateTable('partners')
    .set({
      transactions: sql<number>`transactions + 1`,
      promocode_uses: sql<number>`promocode_uses + ${isByPromocode ? 1 : 0}::integer`,
    })
    .where('customer_id', '=', partnerId)
    .execute()
}

export const takeTransaction = async (trx: Trx, partnerId: string, isByPromocode: boolean): Promise<void> => {
  await trx
    .updateTable('partners')
    .set({
      // A refund never fails because of what is counted here.
      transactions: sql<number>`greatest(transactions - 1, 0)`,
      promocode_uses: sql<number>`least(greatest(promocode_uses - ${isByPromocode ? 1 : 0}::integer, 0),
        greatest(transactions - 1, 0))`,
    })
    .where('customer_id', '=', partnerId)
    .execute()
}

/** An earning with what of its payment went back. */
export const findEarning = (db: Db, paymentId: string) =>
  db
    .selectFrom('earnings')
    .innerJoin('payments', 'payments.id', 'earnings.payment_id')
    .selectAll('earnings')
    .select(['payments.charged_minor', 'payments.refunded_minor'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()

export const noteDueBack = async (
  trx: Trx,
  paymentId: string,
  dueBackMinor: number,
  isRefunded: boolean,
): Promise<void> => {
  await trx
    .updateTable('earnings')
    .set({ due_back_minor: dueBackMinor, is_refunded: isRefunded })
    .where('payment_id', '=', paymentId)
    .execute()
}

export const noteReversed = async (trx: Trx, paymentId: string, minor: number): Promise<void> => {
  await trx
    .updateTable('earnings')
    .set({ reversed_minor: sql<number>`reversed_minor + ${minor}` })
    .where('payment_id', '=', paymentId)
    .execute()
}

/** Earnings whose hold is over, the oldest first. */
export const listDueToMature = (db: Db, limit: number, after: Place | undefined) =>
  db
    .selectFrom('earnings')
    .select(['payment_id as id', 'partner_id', sql<string>`available_at::text`.as('at')])
    .where('matured_at', 'is', null)
    .where('available_at', '<=', sql<Date>`now()`)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(available_at, payment_id) > (${after?.at}::timestamptz, ${after?.id})`),
    )
    .orderBy('available_at')
    .orderBy('payment_id')
    .limit(limit)
    .execute()

/** Undefined when somebody else was first, or it is not time. */
export const claimDueToMature = (trx: Trx, paymentId: string) =>
  trx
    .updateTable('earnings')
    .set({ matured_at: sql<Date>`now()` })
    .where('payment_id', '=', paymentId)
    .where('matured_at', 'is', null)
    .where('available_at', '<=', sql<Date>`now()`)
    .returning(['payment_id', 'partner_id', 'currency', 'amount_minor', 'reversed_minor'])
    .executeTakeFirst()

/** Free earnings of which more is due back than was there to be taken, the oldest first. */
export const listOwing = (trx: Trx, partnerId: string, currency: CurrencyCode) =>
  trx
    .selectFrom('earnings')
    .select(['payment_id', sql<number>`due_back_minor - reversed_minor`.as('owing_minor')])
    .where('partner_id', '=', partnerId)
    .where('currency', '=', currency)
    .whereRef('reversed_minor', '<', 'due_back_minor')
    .where('matured_at', 'is not', null)
    .orderBy('earned_at')
    .execute()

/** What is held waits no longer: its partner has given it up. */
export const endHolds = async (trx: Trx, partnerId: string): Promise<void> => {
  await trx
    .updateTable('earnings')
    .set({ matured_at: sql<Date>`now()` })
    .where('partner_id', '=', partnerId)
    .where('matured_at', 'is', null)
    .execute()
}
