import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { noteBankCountry } from '#money/payments/place-of-sale/note-bank-country.ts'
import { aCustomer, eraseAccount } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { COMPANY, OSS, payFrom, placeOf, taxOf } from '#testing/oss-shops.ts'
import { CARDS, type CardForm, reached } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { ...OSS, OSS_VAT_NUMBER: 'EU372000001' } })

const buyFrom = async (said: CardForm) => {
  const customer = await aCustomer(shop)
  const { paymentId } = (await payFrom(shop, customer, said)).body
  await reached(shop, paymentId, 'Success')
  return { customer, paymentId }
}

const invoiced = async (paymentId: string) => {
  await hurry(shop, 'issue-invoices')
  return until(() => taxOf(shop, paymentId))
}

const buyerOf = async (paymentId: string) => {
  const { rows } = await sql<{ buyer: unknown }>`
    select snapshot -> 'buyer' as buyer from invoices join payments using (order_id)
    where payments.id = ${paymentId}`.execute(shop.db)
  return rows[0]?.buyer
}

const evidenceOf = (chosen: string) => ({ chosen, bank: null, network: null })

describe('the invoice of a sale', () => {
  test.each([
    ['DE', 'oss', 'DE', 19, 479],
    ['FI', 'oss', 'FI', 25.5, 610],
    ['HU', 'oss', 'HU', 27, 638],
    ['LU', 'oss', 'LU', 17, 436],
    ['MC', 'oss', 'FR', 20, 500],
    ['GB', 'uk', 'GB', 20, 500],
    ['IM', 'uk', 'GB', 20, 500],
    ['US', 'outside', 'US', 0, 0],
    ['AX', 'outside', 'AX', 0, 0],
    ['CH', 'outside', 'CH', 0, 0],
  ])('to a customer in %s is of treatment %s', async (chosen, treatment, country, rate, vatMinor) => {
    const { paymentId } = await buyFrom({ country: chosen })
    expect(await invoiced(paymentId)).toEqual({
      vat: { treatment, country, evidence: evidenceOf(chosen) },
      vatRate: rate,
      totalMinor: 3000,
      netMinor: 3000 - vatMinor,
      vatMinor,
    })
  })

  test('to a business in the EU has no VAT, and both numbers', async () => {
    const { paymentId } = await buyFrom({ country: 'DE', vatNumber: 'DE123456789' })
    expect(await invoiced(paymentId)).toMatchObject({
      vat: {
        treatment: 'reverse-charge',
        country: 'DE',
        number: 'DE123456789',
        numberStanding: 'valid',
        consultation: expect.stringMatching(/^WAPI/),
      },
      vatRate: 0,
      netMinor: 3000,
      vatMinor: 0,
    })
  })

  test('to a business names the business and its address, not the account', async () => {
    const { paymentId } = await buyFrom({ country: 'DE', vatNumber: 'DE123456789' })
    await invoiced(paymentId)
    expect(await buyerOf(paymentId)).toEqual({
      name: COMPANY.company,
      address: COMPANY.companyAddress.split('\n'),
    })
  })

  test.each([
    ['no address anywhere', {}, 'oss'],
    ['an address in the profile', { address_string: '1 Lane', address_city: 'Kiel' }, 'reverse-charge'],
  ])('to a number that came to an earlier version, with %s, is %s', async (_, profile, treatment) => {
    const { customer, paymentId } = await buyFrom({ country: 'DE', vatNumber: 'DE123456789' })
    await sql`update payments set vat_name = null, vat_address = null where id = ${paymentId}`.execute(
      shop.db,
    )
    if (Object.keys(profile).length > 0)
      await shop.db.updateTable('customers').set(profile).where('id', '=', customer.id).execute()
    expect(await invoiced(paymentId)).toMatchObject({ vat: { treatment } })
  })

  test('whose number VIES could not be asked about has the VAT of the country', async () => {
    const { paymentId } = await buyFrom({ country: 'DE', vatNumber: 'DE123456301' })
    expect(await invoiced(paymentId)).toMatchObject({
      vat: { treatment: 'oss', country: 'DE', number: 'DE123456301', numberStanding: 'unanswered' },
      vatRate: 19,
      vatMinor: 479,
    })
  })
})

describe('what the gateway tells of the card afterwards', () => {
  test('is noted once, and changes no invoice', async () => {
    const { paymentId } = await buyFrom({ country: 'DE' })
    const before = await invoiced(paymentId)
    const noted = await Promise.all([1, 2, 3].map(() => noteBankCountry(shop.db, paymentId, 'fr')))
    expect(noted.sort()).toEqual([false, false, true])
    expect(await noteBankCountry(shop.db, paymentId, 'DE')).toBe(false)
    expect((await placeOf(shop, paymentId)).bank_country).toBe('FR')
    expect(await taxOf(shop, paymentId)).toEqual(before)
  })

  test.each([['XX'], ['Germany'], [''], [null], [276]])('is nothing where it says %j', async (told) => {
    const { paymentId } = await buyFrom({ country: 'DE' })
    expect(await noteBankCountry(shop.db, paymentId, told)).toBe(false)
    expect((await placeOf(shop, paymentId)).bank_country).toBeNull()
  })

  test('is not kept of a payment that is unknown, or of a sale that asked for no country', async () => {
    const { paymentId } = await buyFrom({ country: 'DE' })
    await sql`update payments set vat_country = null where id = ${paymentId}`.execute(shop.db)
    expect(await noteBankCountry(shop.db, paymentId, 'DE')).toBe(false)
    expect(await noteBankCountry(shop.db, '0'.repeat(32), 'DE')).toBe(false)
  })
})

describe('an account that is erased', () => {
  test('leaves what its sales were taxed by, and nothing of attempts that sold nothing', async () => {
    const { customer, paymentId } = await buyFrom({ country: 'DE', vatNumber: 'DE123456789' })
    await noteBankCountry(shop.db, paymentId, 'DE')
    const declined = (await payFrom(shop, customer, { country: 'FR', pan: CARDS.declined })).body.paymentId
    await reached(shop, declined, 'Decline')
    expect((await eraseAccount(shop, customer)).status).toBe(200)
    expect(await placeOf(shop, paymentId)).toMatchObject({
      vat_country: 'DE',
      vat_number: 'DE123456789',
      vat_number_standing: 'valid',
      vat_name: COMPANY.company,
      bank_country: 'DE',
    })
    expect(Object.values(await placeOf(shop, declined))).toEqual(Array(10).fill(null))
    expect((await taxOf(shop, paymentId)).vat.evidence).toMatchObject({ chosen: 'DE' })
  })
})

test('what a sale was taxed by is forgotten when no law wants it any more', async () => {
  const [old, kept] = [await buyFrom({ country: 'DE' }), await buyFrom({ country: 'DE' })]
  const yearsAgo = (years: number) => sql`now() - make_interval(years => ${years}::int)`
  await sql`update payments set ended_at = ${yearsAgo(11)} where id = ${old.paymentId}`.execute(shop.db)
  await sql`update payments set ended_at = ${yearsAgo(10)} where id = ${kept.paymentId}`.execute(shop.db)
  await hurry(shop, 'tidy-up')
  await until(async () => (await placeOf(shop, old.paymentId)).vat_country === null)
  expect((await placeOf(shop, kept.paymentId)).vat_country).toBe('DE')
})
