import { VAT_MESSAGES } from '@hedgerow/domain/vat-numbers'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { COMPANY, OSS, payFrom, placeOf } from '#testing/oss-shops.ts'
import { answerElsewhere, BANKS, payByBank, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import { pay, startPayment } from '#testing/payments.ts'
import { planFor, sale, startSale } from '#testing/plans.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { ...OSS, OSS_VAT_NUMBER: 'EU372000001' } })
const plain = shopOfFile()
const hosted = shopOfFile({ env: { ...OSS, CARD_FORM: 'hosted' } })

const NOTHING = {
  vat_country: null,
  vat_number: null,
  vat_number_standing: null,
  vat_number_consultation: null,
  vat_name: null,
  vat_address: null,
  vies_name: null,
  vies_address: null,
  network_country: null,
  bank_country: null,
}

const viesCalls = ({ gateCalls }: Pick<typeof shop, 'gateCalls'>) =>
  gateCalls.filter(({ path }) => path.includes('/vies/'))

describe('a shop with VAT_SCHEME=uk', () => {
  test.each([{}, { country: 'DE', vatNumber: 'DE123456789' }, { country: '<b>', vatNumber: 7 }])(
    'neither needs nor reads a country (%o)',
    async (said) => {
      const customer = await aCustomer(plain)
      const id = await startPayment(plain, customer, await anOrder(plain, customer), said)
      expect(await placeOf(plain, id)).toEqual(NOTHING)
      expect(viesCalls(plain)).toEqual([])
      expect((await plain.call('GET', '/api/v1/payment/methods')).body).not.toHaveProperty('asksCountry')
    },
  )
})

describe('a shop with VAT_SCHEME=oss', () => {
  test('tells its page that it asks for the country', async () => {
    expect((await shop.call('GET', '/api/v1/payment/methods')).body).toMatchObject({
      asksCountry: true,
      looksUpVatNumbers: true,
    })
  })

  test.each([
    [undefined],
    [null],
    [''],
    ['XX'],
    ['de'],
    ['Germany'],
    ['<script>alert(1)</script>'],
    [['DE']],
    [{ toString: 'DE' }],
    ['D'.repeat(4_000)],
  ])('refuses a sale from %j, and starts nothing', async (country) => {
    const customer = await aCustomer(shop)
    const reply = await payFrom(shop, customer, { country })
    expectProblem(reply, 422)
    expect(reply.body.errors).toEqual([{ path: 'country', message: VAT_MESSAGES.country }])
    expect(reply.text).not.toContain('script')
    const rows = await shop.db
      .selectFrom('payments')
      .select('id')
      .where('customer_id', '=', customer.id)
      .execute()
    expect(rows).toEqual([])
  })

  test('keeps the country with the payment', async () => {
    const customer = await aCustomer(shop)
    const { paymentId } = (await payFrom(shop, customer, { country: 'DE', vatNumber: '' })).body
    expect(await placeOf(shop, paymentId)).toEqual({ ...NOTHING, vat_country: 'DE' })
  })

  test('knows the country of the bank that is chosen, and of Blik', async () => {
    const customer = await aCustomer(shop)
    await setRate(shop, 'EUR', 4_250_000)
    const order = await anOrder(shop, customer)
    const said = { country: 'AT', bankId: BANKS.inGermany }
    const id = await startBy(payByBank, shop, customer, order, said)
    expect(await placeOf(shop, id)).toEqual({ ...NOTHING, vat_country: 'AT', bank_country: 'DE' })
    await answerElsewhere(shop, id, 'refuse')
    const another = await anOrder(shop, customer)
    const blik = await startBy(payByBlik, shop, customer, another, { country: 'PL' })
    expect(await placeOf(shop, blik)).toEqual({ ...NOTHING, vat_country: 'PL', bank_country: 'PL' })
    for (const payBy of [payByBank, payByBlik])
      expectProblem(await payBy(shop, customer, await anOrder(shop, customer)), 422)
  })

  test('asks at the checkout of a plan, too, before anything is ordered', async () => {
    const customer = await aCustomer(shop)
    const plan = planFor('31 days')
    const reply = await sale(shop, customer, plan)
    expect(reply.body.errors).toEqual([{ path: 'country', message: VAT_MESSAGES.country }])
    expect((await shop.call('GET', '/api/v1/orders', { token: customer.token })).body).toEqual([])
    const id = await startSale(shop, customer, plan, { country: 'FI' })
    expect(await placeOf(shop, id)).toEqual({ ...NOTHING, vat_country: 'FI' })
  })

  test('asks where the card is typed elsewhere', async () => {
    const customer = await aCustomer(hosted)
    const { orderId, total, currency } = await anOrder(hosted, customer)
    const body = { total, currency: currency.code, acceptTerms: true }
    const { token } = customer
    const press = (said: object) =>
      hosted.call('POST', `/api/v1/orders/${orderId}`, { token, body: { ...body, ...said } })
    expectProblem(await press({}), 422)
    const { paymentId } = (await press({ country: 'US' })).body
    expect(await placeOf(hosted, paymentId)).toMatchObject({ vat_country: 'US' })
    const { id } = planFor('1 week')
    const plan = (said: object) =>
      hosted.call('POST', '/api/v1/payment/gate/sale', { token, body: { id, acceptTerms: true, ...said } })
    expectProblem(await plan({}), 422)
    expect(await placeOf(hosted, (await plan({ country: 'US' })).body._id)).toMatchObject({
      vat_country: 'US',
    })
  })

  test('keeps it in the file with all data of the customer', async () => {
    const customer = await aCustomer(shop)
    await payFrom(shop, customer, { country: 'DE', vatNumber: 'DE123456789' })
    const { payments } = (await shop.call('GET', '/api/v1/user/data', { token: customer.token })).body
    expect(payments[0]).toMatchObject({
      vatCountry: 'DE',
      vatNumber: 'DE123456789',
      vatNumberStanding: 'valid',
      vatNumberConsultation: expect.stringMatching(/^WAPI/),
      vatName: COMPANY.company,
      vatAddress: COMPANY.companyAddress,
      viesName: 'Example GmbH',
      viesAddress: 'Musterstrasse 1\n10115 Berlin',
      networkCountry: null,
      bankCountry: null,
    })
  })

  test('does not let two presses at once start two payments', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const said = { country: 'DE', vatNumber: '123456789', ...COMPANY }
    const replies = await Promise.all([pay(shop, customer, order, said), pay(shop, customer, order, said)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
