import { VAT_MESSAGES } from '@hedgerow/domain/vat-numbers'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { OSS, payFrom, placeOf } from '#testing/oss-shops.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { ...OSS, OSS_VAT_NUMBER: 'EU372000001' } })

type Shop = Parameters<typeof payFrom>[0]

const press = async (said: object, on: Shop = shop) => payFrom(on, await aCustomer(on), { ...said })
const kept = async (said: object, on: Shop = shop) => placeOf(on, (await press(said, on)).body.paymentId)
const refusal = async (said: object) => {
  const reply = await press(said)
  expectProblem(reply, 422)
  return reply.body.errors
}
const atNumber = (message: string) => [{ path: 'vatNumber', message }]

const asked = () =>
  shop.gateCalls.filter(({ path }) => path === '/taxation_customs/vies/rest-api/check-vat-number')

describe('a VAT number', () => {
  test('that VIES knows is kept with its prefix, and what VIES calls its answer', async () => {
    expect(await kept({ country: 'DE', vatNumber: ' de 123 456-789 ' })).toMatchObject({
      vat_number: 'DE123456789',
      vat_number_standing: 'valid',
      vat_number_consultation: expect.stringMatching(/^WAPI\w+$/),
    })
    expect(asked().at(-1)?.body).toEqual({
      countryCode: 'DE',
      vatNumber: '123456789',
      requesterMemberStateCode: 'EU',
      requesterNumber: '372000001',
    })
  })

  test.each([
    ['GR', '123456789', 'EL123456789'],
    ['GR', 'EL123456789', 'EL123456789'],
    ['GR', 'GR123456789', 'EL123456789'],
    ['AT', 'ATU12345678', 'ATU12345678'],
    ['FR', 'FRDE123456789', 'FRDE123456789'],
    ['MC', 'FR12123456789', 'FR12123456789'],
    ['NL', 'NL123456789B01', 'NL123456789B01'],
    ['IE', '1234567WA', 'IE1234567WA'],
  ])('of %s may be typed as %s', async (country, vatNumber, number) => {
    expect(await kept({ country, vatNumber })).toMatchObject({ vat_country: country, vat_number: number })
  })

  test.each([
    ['DE', '12345678', VAT_MESSAGES.numberForm('DE')],
    ['DE', 'FR12123456789', VAT_MESSAGES.numberOfOther('FR', 'DE')],
    ['FR', 'DE123456789', VAT_MESSAGES.numberOfOther('DE', 'FR')],
    ['US', 'DE123456789', VAT_MESSAGES.numberOutside],
    ['GB', 'GB123456789', VAT_MESSAGES.numberOutside],
    ['GB', 'XI123456789', VAT_MESSAGES.numberOutside],
    ['DE', '"><img src=x onerror=alert(1)>', VAT_MESSAGES.numberForm('DE')],
    ['DE', '9'.repeat(6_000), VAT_MESSAGES.numberForm('DE')],
    ['DE', 123456789, VAT_MESSAGES.numberForm('DE')],
    ['DE', { length: 9 }, VAT_MESSAGES.numberForm('DE')],
  ])(
    'of %s in a form that none has (%j) is refused, and VIES is not asked',
    async (country, vatNumber, message) => {
      const before = asked().length
      expect(await refusal({ country, vatNumber })).toEqual(atNumber(message))
      expect(asked()).toHaveLength(before)
    },
  )

  const number = { country: 'DE', vatNumber: 'DE123456789' }
  const noCompany = { path: 'company', message: VAT_MESSAGES.company }
  const noAddress = { path: 'companyAddress', message: VAT_MESSAGES.address }
  test.each([
    [{ company: undefined, companyAddress: undefined }, [noCompany, noAddress]],
    [{ company: ' \n ', companyAddress: '- -' }, [noCompany, noAddress]],
    [{ company: 7, companyAddress: ['x'] }, [noCompany, noAddress]],
    [{ companyAddress: '' }, [noAddress]],
    [{ company: 'x'.repeat(201) }, [{ path: 'company', message: VAT_MESSAGES.companyLong }]],
    [{ companyAddress: 'a\n'.repeat(7) }, [{ path: 'companyAddress', message: VAT_MESSAGES.addressLong }]],
  ])(
    'without the name and address of its business (%j) is refused, and VIES is not asked',
    async (said, errors) => {
      const before = asked().length
      expect(await refusal({ ...number, ...said })).toEqual(errors)
      expect(asked()).toHaveLength(before)
    },
  )

  test('that is too large to be read is refused before that', async () => {
    expectProblem(await press({ country: 'DE', vatNumber: '9'.repeat(9_000) }), 413)
  })

  test('that VIES does not know is refused, and nothing is started', async () => {
    const customer = await aCustomer(shop)
    const reply = await payFrom(shop, customer, { country: 'DE', vatNumber: 'DE123456200' })
    expect(reply.body.errors).toEqual(atNumber(VAT_MESSAGES.numberUnknown))
    const rows = await shop.db
      .selectFrom('payments')
      .select('id')
      .where('customer_id', '=', customer.id)
      .execute()
    expect(rows).toEqual([])
  })

  test('that VIES finds no number at all is refused', async () => {
    expect(await refusal({ country: 'DE', vatNumber: 'DE123456201' })).toEqual(
      atNumber(VAT_MESSAGES.numberUnknown),
    )
  })

  test.each(['300', '301', '302', '400', '401', '500', '501', '600', '601', '999'])(
    'that VIES gives no answer to (…%s) is kept as unanswered',
    async (ending) => {
      expect(await kept({ country: 'DE', vatNumber: `DE123456${ending}` })).toMatchObject({
        vat_number: `DE123456${ending}`,
        vat_number_standing: 'unanswered',
        vat_number_consultation: null,
      })
    },
  )

  test('is asked for again without our own, where VIES does not want that', async () => {
    const before = asked().length
    expect(await kept({ country: 'DE', vatNumber: 'DE123456202' })).toMatchObject({
      vat_number_standing: 'valid',
      vat_number_consultation: null,
    })
    expect(asked().slice(before)).toHaveLength(2)
  })

  test('is unanswered where VIES is not there', async () => {
    const alone = await startTestShop({ env: { ...OSS, VIES_URL: 'http://127.0.0.1:9/vies' } })
    const said = { country: 'DE', vatNumber: 'DE123456789' }
    expect(await kept(said, alone)).toMatchObject({ vat_number_standing: 'unanswered' })
  })
})

describe('how often VIES is asked', () => {
  const LIMITED = { env: { ...OSS, RATE_LIMIT_SCALE: '1' } }
  const said = { country: 'DE', vatNumber: 'DE123456200' }

  test('is limited by customer, who may go on without a number', async () => {
    const limited = await startTestShop(LIMITED)
    const customer = await aCustomer(limited)
    const statuses: number[] = []
    for (let time = 0; time < 21; time++) statuses.push((await payFrom(limited, customer, said)).status)
    expect(statuses).toEqual([...Array(20).fill(422), 429])
    expect(limited.gateCalls.filter(({ path }) => path.includes('/vies/'))).toHaveLength(20)
    expect((await payFrom(limited, customer, { country: 'DE' })).status).toBe(200)
  })
})
