import { randomUUID } from 'node:crypto'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { levelFor } from '@hedgerow/domain/partnership'
import { sql } from 'kysely'
import { creditPartners, matureEarnings } from '../../../apps/api/src/partnership/earnings.service.ts'
import { aCustomer, aSession, type TestCustomer, uniqueEmail } from './customers.ts'
import type { TestShop } from './test-shop.ts'

type Shop = Pick<TestShop, 'db'>

type Paid = {
  buyerId: string
  partnerId: string
  amountMinor: number
  currency?: CurrencyCode
  /** Charged in another currency, like Blik. */
  charged?: { minor: number; currency: 'PLN' }
}

/** A payment for a partner that has succeeded, of any sum; its invoice is issued. Nobody has credited it yet. */
export const aPaidPayment = async ({ db }: Shop, paid: Paid): Promise<string> => {
  const { buyerId, partnerId, amountMinor, currency = 'EUR', charged } = paid
  const [orderId, id] = [randomUUID(), randomUUID().replaceAll('-', '')]
  await db
    .insertInto('orders')
    .values({
      id: orderId,
      customer_id: buyerId,
      days: 30,
      connections: 3,
      priority_bandwidth: false,
      ad_filter: false,
      malware_filter: false,
      family_filter: false,
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
      status: 'Success',
      is_invoiced: true,
      delivered_at: sql<Date>`now()`,
      ended_at: sql<Date>`now()`,
    })
    .execute()
  return id
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

/** A payment of which the partner's share, at the level that they have, is exactly so much; and it is available. */
export const anEarning = async (
  shop: Shop & Pick<TestShop, 'settings'>,
  partnerId: string,
  earnedMinor: number,
  currency: CurrencyCode = 'EUR',
): Promise<string> => {
  const { id: buyerId } = await aCustomer(shop)
  const partner = await shop.db
    .selectFrom('partners')
    .select('transactions')
    .where('customer_id', '=', partnerId)
    .executeTakeFirst()
  const { percentage } = levelFor(partner?.transactions ?? 0)
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
