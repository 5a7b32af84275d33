import type { Json } from '@hedgerow/testing/call'
import { sql } from 'kysely'
import type { TestCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { type CardForm, pay } from '#testing/payments.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** The settings of a shop that asks where its customers are. */
export const OSS = { VAT_SCHEME: 'oss' } as const

type Shop = Pick<TestShop, 'call' | 'db'>

/** What a business has to say of itself with its VAT number. */
export const COMPANY = { company: 'Ada & Söhne GmbH', companyAddress: 'Hauptstr. 7\n10115 Berlin' }

/** Presses the button that pays for a new order, with what is said of the place. */
export const payFrom = async (shop: Shop, customer: TestCustomer, said: CardForm) =>
  pay(shop, customer, await anOrder(shop, customer), { ...(said.vatNumber ? COMPANY : {}), ...said })

/** What is kept of where a sale was to. */
export const placeOf = ({ db }: Pick<TestShop, 'db'>, paymentId: string) =>
  db
    .selectFrom('payments')
    .select([
      'vat_country',
      'vat_number',
      'vat_number_standing',
      'vat_number_consultation',
      'vat_name',
      'vat_address',
      'vies_name',
      'vies_address',
      'network_country',
      'bank_country',
    ])
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()

/** What of a payment's invoice is about the tax; undefined while there is none. */
export const taxOf = async ({ db }: Pick<TestShop, 'db'>, paymentId: string): Promise<Json | undefined> => {
  const { rows } = await sql<Json>`
    select snapshot -> 'vat' as vat, snapshot -> 'vatRate' as "vatRate", snapshot -> 'totalMinor' as "totalMinor",
      snapshot -> 'netMinor' as "netMinor", snapshot -> 'vatMinor' as "vatMinor"
    from invoices join payments using (order_id) where payments.id = ${paymentId}`.execute(db)
  return rows[0]
}
