import { randomUUID } from 'node:crypto'
import { SETTLED_AFTER_DAYS } from '@hedgerow/domain/cancellations'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { levelFor } from '@hedgerow/domain/partnership'
import { sql } from 'kysely'
import { settledForLevel } from '#catalogue/promocodes/settled-transactions.ts'
import { creditPartners, matureEarnings } from '#partners/earnings/earnings.service.ts'
import { aCustomer, aSession, type TestCustomer, uniqueEmail } from '#testing/customers.ts'
import type { TestShop } from '#testing/test-shop.ts'

export type TestPartner = TestCustomer & { promocode: string }

type Standing = {
  /** So many payments more that have earned nothing, and count towards the level. */
  transactions?: number
  /** How often the promocode may be used. */
  promocode_limit?: number | null
  promocode_closed_at?: Date | null
}

type Shop = Pick<TestShop, 'db'>

/** Payments of an erased account that were credited to a partner, and can no longer be taken back. */
const insertSettled = async ({ db }: Shop, partnerId: string, count: number): Promise<void> => {
  await sql`
    with bought as (
      insert into orders (id, days, connections, options, total_minor, currency, status, expires_at)
      select gen_random_uuid(), 30, 3, 0, 3000, 'EUR', 'Completed', now() from generate_series(1, ${count}) returning id
    ),
    paid as (
      insert into payments (id, order_id, partner_id, method, amount_minor, currency, charged_minor, charged_currency,
        is_credited, is_invoiced, status, delivered_at, ended_at)
      select replace(gen_random_uuid()::text, '-', ''), id, ${partnerId}, 'card', 3000, 'EUR', 3000, 'EUR', true, true,
        'Success', now(), now() - make_interval(days => ${SETTLED_AFTER_DAYS}) from bought returning id
    )
    insert into earnings (payment_id, partner_id, source, level, percentage, amount_minor, currency, available_at, matured_at)
    select id, ${partnerId}, 'referral', 1, 10, 0, 'EUR', now(), now() from paid`.execute(db)
}

/** Changes how a partner stands, whatever led to it. */
export const setStanding = async (
  shop: Shop,
  { id }: Pick<TestCustomer, 'id'>,
  { transactions = 0, ...standing }: Standing,
) => {
  await shop.db
    .insertInto('partners')
    .values({ customer_id: id, transactions, ...standing })
    .onConflict((conflict) =>
      conflict
        .column('customer_id')
        .doUpdateSet({ transactions: sql<number>`partners.transactions + ${transactions}`, ...standing }),
    )
    .execute()
  await insertSettled(shop, id, transactions)
}

/** A customer whose promocode others use; at the first level, if nothing is said. */
export const aPartner = async (shop: Shop, standing: Standing = {}): Promise<TestPartner> => {
  const customer = await aCustomer(shop)
  await setStanding(shop, customer, standing)
  const { promocode } = await shop.db
    .selectFrom('customers')
    .select('promocode')
    .where('id', '=', customer.id)
    .executeTakeFirstOrThrow()
  return { ...customer, promocode }
}

export const partnerRow = ({ db }: Shop, { id }: Pick<TestCustomer, 'id'>) =>
  db.selectFrom('partners').selectAll().where('customer_id', '=', id).executeTakeFirstOrThrow()

/** What a payment has earned its partner; undefined when nothing is credited. */
export const earningOf = ({ db }: Shop, paymentId: string) =>
  db.selectFrom('earnings').selectAll().where('payment_id', '=', paymentId).executeTakeFirst()

type Paid = {
  buyerId: string
  partnerId: string
  amountMinor: number
  currency?: CurrencyCode
  /** Charged in another currency, like Blik. */
  charged?: { minor: number; currency: 'PLN' }
  /** True where the shop's own round is to leave it alone for now. */
  isCredited?: boolean
}

/** A payment for a partner that has succeeded, of any sum; its invoice is issued. It is not credited yet. */
export const aPaidPayment = async ({ db }: Shop, paid: Paid): Promise<string> => {
  const { buyerId, partnerId, amountMinor, currency = 'EUR', charged, isCredited = false } = paid
  const [orderId, id] = [randomUUID(), randomUUID().replaceAll('-', '')]
  await db
    .insertInto('orders')
    .values({
      id: orderId,
      customer_id: buyerId,
      days: 30,
      connections: 3,
      options: 0,
      total_minor: amountMinor,
      currency,
      status: 'Completed',
      expires_at: sql<Date>`now() + interval '1 day'`,
    })
    .execute()
  await db
    .insertInto('payments')
    .values({
      id,
      order_id: orderId,
      customer_id: buyerId,
      partner_id: partnerId,
      method: charged ? 'blik' : 'card',
      amount_minor: amountMinor,
      currency,
      charged_minor: charged?.minor ?? amountMinor,
      charged_currency: charged?.currency ?? currency,
      ...(charged ? { rate_micro: 4_251_200, rated_at: sql<Date>`now()` } : {}),
      is_credited: isCredited,
      status: 'Success',
      is_invoiced: true,
      delivered_at: sql<Date>`now()`,
      ended_at: sql<Date>`now()`,
    })
    .execute()
  return id
}

/** Now the round may have it. */
export const letCredit = async ({ db }: Shop, ...paymentIds: string[]): Promise<void> => {
  await db.updateTable('payments').set({ is_credited: false }).where('id', 'in', paymentIds).execute()
}

/** As if the days had passed. */
export const endHolds = async ({ db }: Shop, partnerId: string): Promise<void> => {
  await db
    .updateTable('earnings')
    .set({ available_at: sql<Date>`now()` })
    .where('partner_id', '=', partnerId)
    .where('matured_at', 'is', null)
    .execute()
  await matureEarnings({ db })
}

/** As if all payments that are credited to a partner were so old that no one can take them back. */
export const settle = async (shop: Shop, partnerId: string): Promise<void> => {
  await sql`
    update payments set ended_at = payments.ended_at - make_interval(days => ${SETTLED_AFTER_DAYS})
    from earnings where payment_id = payments.id and earnings.partner_id = ${partnerId}`.execute(shop.db)
  await endHolds(shop, partnerId)
}

/** A payment of which the partner's share, at the level that they have, is exactly so much; and it is available. */
export const anEarning = async (
  shop: Shop & Pick<TestShop, 'settings'>,
  partnerId: string,
  earnedMinor: number,
  currency: CurrencyCode = 'EUR',
): Promise<string> => {
  const { id: buyerId } = await aCustomer(shop)
  const { settled } = await shop.db
    .selectNoFrom(settledForLevel(sql`${partnerId}::uuid`).as('settled'))
    .executeTakeFirstOrThrow()
  const { percentage } = levelFor(settled)
  const amountMinor = Math.ceil((earnedMinor * 100) / percentage)
  const paymentId = await aPaidPayment(shop, { buyerId, partnerId, amountMinor, currency })
  await creditPartners(shop)
  await endHolds(shop, partnerId)
  return paymentId
}

/** Someone who signed up by the partner's link and has logged in. */
export const aReferred = async (
  shop: Shop & Pick<TestShop, 'call'>,
  partner: Pick<TestCustomer, 'token'>,
): Promise<TestCustomer> => {
  const { promocode } = (await shop.call('GET', '/api/v1/partnership', { token: partner.token })).body
  const email = uniqueEmail('grace')
  const password = 'hedge sparrow 7'
  const body = { name: 'Grace', email, signupPassword: password, acceptTerms: true, referral: promocode }
  await shop.call('POST', '/api/v1/user/create', { body })
  const { id } = await shop.db
    .selectFrom('customers')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return { id, email, name: 'Grace', password, token: await aSession(shop, id) }
}

export const partnershipOf = async (shop: Pick<TestShop, 'call'>, { token }: Pick<TestCustomer, 'token'>) =>
  (await shop.call('GET', '/api/v1/partnership', { token })).body

/** The partner account in one currency. */
export const balanceOf = async (
  shop: Pick<TestShop, 'call'>,
  partner: Pick<TestCustomer, 'token'>,
  currency: CurrencyCode = 'EUR',
) => {
  const { balances } = await partnershipOf(shop, partner)
  const { currency: _, ...balance } = balances.find((one: { currency: string }) => one.currency === currency)
  return balance as { available: number; pending: number; requested: number; paid: number }
}
