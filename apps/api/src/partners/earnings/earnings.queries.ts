import type { CurrencyCode } from '@hedgerow/domain/money'
import type { SettledTransactions } from '@hedgerow/domain/partnership'
import { type Insertable, sql } from 'kysely'
import { NOTHING_GOES_BACK, settledForLevel } from '#catalogue/promocodes/settled-transactions.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { updateDue } from '#platform/database/slices.ts'
import type { EarningsTable } from '#platform/database/tables/partnership.table.ts'
import type { UncreditedBecause } from '#platform/database/tables/payments.table.ts'

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
 * A lock does not hold up a run for long: it goes on with the next payment, and comes back in two seconds. Held for the
 * transaction only.
 */
export const waitBriefly = async (trx: Trx): Promise<void> => {
  await sql`set local lock_timeout = '3s'`.execute(trx)
}

/**
 * The partner has tried to pay with the card of this payment. Where the number was typed at the gateway, the masked number
 * and the holder's name have to do: two cards of an issuer rarely share both.
 */
const HAS_PARTNERS_CARD = sql<boolean>`exists (
  select from payments as own
  where own.customer_id = payments.partner_id and (
    own.card_hash = payments.card_hash
    or ((own.card_hash is null or payments.card_hash is null)
      and own.pan_masked = payments.pan_masked and lower(own.card_holder) = lower(payments.card_holder))))`

/** The earning of the payment is yet to be credited, or is held: till then it may turn out to be of an own card. */
export const IS_TO_BE_EARNED = sql<boolean>`(
  payments.status = 'Success' and not payments.refund_due
  and exists (select from customers where customers.id = payments.partner_id)
  and (not payments.is_credited or exists (
    select from earnings where earnings.payment_id = payments.id and matured_at is null)))`

/** Of accounts that are erased nothing is kept for longer than an earning waits. */
export const forgetErasedCards = (db: Db) =>
  updateDue(
    db,
    'payments',
    sql`card_hash = null, erased_account = null`,
    sql`erased_account is not null and not ${IS_TO_BE_EARNED}`,
  )

const isSmall = (leastMinor: number) =>
  sql<boolean>`(select price_minor from orders where orders.id = payments.order_id) < ${leastMinor}`

/** Why a payment earns its partner nothing; null when it does. */
const whyUncredited = (leastMinor: number) => sql<UncreditedBecause | null>`
  case when ${HAS_PARTNERS_CARD} then 'own-card' when ${isSmall(leastMinor)} then 'small-spend' end`

/** Notes that a payment earns its partner nothing, and returns why; null when it does. To be called with it claimed. */
export const noteUncredited = async (
  trx: Trx,
  paymentId: string,
  leastMinor: number,
): Promise<UncreditedBecause | null> => {
  const row = await trx
    .updateTable('payments')
    .set({ uncredited_because: whyUncredited(leastMinor) })
    .where('id', '=', paymentId)
    .where(sql<boolean>`${whyUncredited(leastMinor)} is not null`)
    .returning('uncredited_because')
    .executeTakeFirst()
  return row?.uncredited_because ?? null
}

export const hasPartnersCard = async (trx: Trx, paymentId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('payments')
    .select(HAS_PARTNERS_CARD.as('has'))
    .where('id', '=', paymentId)
    .executeTakeFirst()
  return row?.has ?? false
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

/** How many transactions its partner had settled when this payment was completed, as far as the level goes. */
export const settledBefore = async (
  trx: Trx,
  partnerId: string,
  completedAt: Date,
): Promise<SettledTransactions> => {
  const at = sql`${completedAt}::timestamptz`
  const row = await trx
    .selectNoFrom(settledForLevel(sql`${partnerId}::uuid`, at).as('settled'))
    .executeTakeFirstOrThrow()
  return row.settled
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
    .select(['payments.charged_minor', 'payments.refunded_minor', 'payments.cancelled_at'])
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

/**
 * All of it was taken back, because its card is the partner's. The payment has used the promocode all the same, so it is
 * counted with those that earned nothing from the start.
 */
export const noteOwnCard = async (trx: Trx, paymentId: string): Promise<void> => {
  await trx
    .updateTable('earnings')
    .set(({ ref }) => ({
      due_back_minor: ref('amount_minor'),
      reversed_minor: ref('amount_minor'),
      is_refunded: true,
      is_own_card: true,
    }))
    .where('payment_id', '=', paymentId)
    .execute()
  await trx
    .updateTable('payments')
    .set({ uncredited_because: 'own-card' })
    .where('id', '=', paymentId)
    .execute()
}

/** The money of the payment stays with the shop: no dispute is to decide whose it is, and no refund has to end first. */
const IS_KEPT = sql<boolean>`(payments.disputed_minor = 0 and ${NOTHING_GOES_BACK})`

/** Earnings whose hold is over, the oldest first. */
export const listDueToMature = (db: Db, limit: number, after: Place | undefined) =>
  db
    .selectFrom('earnings')
    .innerJoin('payments', 'payments.id', 'earnings.payment_id')
    .select([
      'payment_id as id',
      'earnings.partner_id',
      'payments.order_id',
      sql<string>`available_at::text`.as('at'),
    ])
    .where('matured_at', 'is', null)
    .where('available_at', '<=', sql<Date>`now()`)
    .where(IS_KEPT)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(available_at, payment_id) > (${after?.at}::timestamptz, ${after?.id})`),
    )
    .orderBy('available_at')
    .orderBy('payment_id')
    .limit(limit)
    .execute()

/** Undefined when another process was first, or it is not time. */
export const claimDueToMature = (trx: Trx, paymentId: string) =>
  trx
    .updateTable('earnings')
    .set({ matured_at: sql<Date>`now()` })
    .where('payment_id', '=', paymentId)
    .where('matured_at', 'is', null)
    .where('available_at', '<=', sql<Date>`now()`)
    .where(sql<boolean>`exists (select from payments where payments.id = earnings.payment_id and ${IS_KEPT})`)
    .returning([
      'payment_id',
      'partner_id',
      'currency',
      'source',
      'amount_minor',
      'reversed_minor',
      'is_refunded',
    ])
    .executeTakeFirst()

/** Of a free earning: more of it is due back than was there to be taken. */
const IS_OWING = sql<boolean>`(earnings.reversed_minor < earnings.due_back_minor and earnings.matured_at is not null)`

/** What refunds want back of `earnings`, and was not there to be taken. */
const OWING = sql<number>`coalesce(sum(earnings.due_back_minor - earnings.reversed_minor), 0)::float8`

/** The same of the partner and in the currency of a row of another table. */
export const owingOfRow = (table: 'withdrawals' | 'partner_balances') => sql<number>`(
  select ${OWING} from earnings
  where earnings.partner_id = ${sql.ref(`${table}.partner_id`)}
    and earnings.currency = ${sql.ref(`${table}.currency`)} and ${IS_OWING})`

/** What refunds want back of a partner and was not there to be taken. */
export const owingOf = async (db: Db, partnerId: string, currency: CurrencyCode): Promise<number> => {
  const row = await db
    .selectFrom('earnings')
    .select(OWING.as('owing_minor'))
    .where('partner_id', '=', partnerId)
    .where('currency', '=', currency)
    .where(IS_OWING)
    .executeTakeFirst()
  return row?.owing_minor ?? 0
}

/** Every partner who has been paid what refunds want back since. Who has deleted the account owes nothing any more. */
export const listPartnersOwing = (db: Db) =>
  db
    .selectFrom('earnings')
    .innerJoin('customers', 'customers.id', 'earnings.partner_id')
    .select([
      'customers.id',
      'customers.email',
      'customers.promocode',
      'earnings.currency',
      OWING.as('owing_minor'),
    ])
    .where(IS_OWING)
    .groupBy(['customers.id', 'earnings.currency'])
    .orderBy('customers.promocode')
    .orderBy('earnings.currency')
    .execute()

/** Free earnings of which more is due back than was there to be taken, the oldest first. */
export const listOwing = (trx: Db, partnerId: string, currency: CurrencyCode) =>
  trx
    .selectFrom('earnings')
    .select(['payment_id', sql<number>`due_back_minor - reversed_minor`.as('owing_minor')])
    .where('partner_id', '=', partnerId)
    .where('currency', '=', currency)
    .where(IS_OWING)
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
