import {
  listVatEvidence,
  type PlacedSaleView,
  vatEvidenceFile,
} from '@hedgerow/contract/console/vat-evidence'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { vatEvidenceRoutes } from '#desk/vat-evidence/vat-evidence.routes.ts'
import { noteBankCountry } from '#money/payments/place-of-sale/note-bank-country.ts'
import { callsBy } from '#testing/calls.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { COMPANY, OSS, payFrom, taxOf } from '#testing/oss-shops.ts'
import { CARDS, type CardForm, reached } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { ...OSS, OSS_VAT_NUMBER: 'EU372000001' } })

const calls = () =>
  callsBy((app) => vatEvidenceRoutes(app, { db: shop.db, exportDb: shop.db, log: console as never }))
const evidence = async (query: object = {}) =>
  (await calls().call(listVatEvidence, { query })) as PlacedSaleView[]

const buyFrom = async (said: CardForm, paidAt: string, bank?: string): Promise<string> => {
  const { paymentId } = (await payFrom(shop, await aCustomer(shop), said)).body
  await reached(shop, paymentId, 'Success')
  await hurry(shop, 'issue-invoices')
  await until(() => taxOf(shop, paymentId))
  if (bank) await noteBankCountry(shop.db, paymentId, bank)
  await sql`update payments set ended_at = ${paidAt} where id = ${paymentId}`.execute(shop.db)
  return paymentId
}

let sales: Record<'agrees' | 'contradicts' | 'single' | 'business', string>
beforeAll(async () => {
  sales = {
    agrees: await buyFrom({ country: 'MC' }, '2026-06-30T22:59:00Z', 'FR'),
    // Midnight in London's summer.
    contradicts: await buyFrom({ country: 'DE' }, '2026-06-30T23:00:00Z', 'PL'),
    single: await buyFrom({ country: 'US' }, '2026-08-01T12:00:00Z'),
    business: await buyFrom({ country: 'DE', vatNumber: 'DE123456789' }, '2026-09-30T12:00:00Z', 'AT'),
  }
  const declined = await payFrom(shop, await aCustomer(shop), { country: 'FI', pan: CARDS.declined })
  await reached(shop, declined.body.paymentId, 'Decline')
})

const paymentsOf = (found: PlacedSaleView[]): string[] => found.map(({ paymentId }) => paymentId)

describe('evidence of where customers were', () => {
  test('says of each sale what its place was determined by, and whether that agrees', async () => {
    const found = await evidence()
    expect(found.map(({ paymentId, verdict }) => [verdict, paymentId])).toEqual(Object.entries(sales))
    expect(found[0]).toMatchObject({
      invoice: expect.stringMatching(/^20\d\d-\d{6}$/),
      method: 'card',
      total: { minor: 3000, currency: 'EUR' },
      vat: { minor: 500, currency: 'EUR' },
      rate: 20,
      treatment: 'oss',
      taxedIn: 'FR',
      chosen: 'MC',
      bank: 'FR',
      network: null,
      vatNumber: null,
    })
    expect(found[3]).toMatchObject({
      treatment: 'reverse-charge',
      vat: { minor: 0, currency: 'EUR' },
      vatNumber: 'DE123456789',
      vatNumberStanding: 'valid',
      consultation: expect.stringMatching(/^WAPI/),
      company: COMPANY.company,
      viesName: 'Example GmbH',
    })
  })

  test('goes by the day in London on which it was paid', async () => {
    const summer = { from: '2026-07-01', to: '2026-09-30' }
    expect(paymentsOf(await evidence(summer))).toEqual([sales.contradicts, sales.single, sales.business])
    expect(paymentsOf(await evidence({ quarter: '2026-Q3' }))).toHaveLength(3)
    expect(paymentsOf(await evidence({ to: '2026-06-30' }))).toEqual([sales.agrees])
    expect(await evidence({ from: '2030-01-01' })).toEqual([])
  })

  test('is listed of those that contradict alone', async () => {
    expect(paymentsOf(await evidence({ contradicting: 'true' }))).toEqual([sales.contradicts])
  })

  test('is a line each in a file, and opening it is recorded', async () => {
    const query = { from: '2026-07-01', to: '2026-07-01' }
    const file = (await calls().call(vatEvidenceFile, { query })) as string
    const [head, line, end] = file.split('\r\n')
    expect(head).toMatch(
      /^\uFEFFPaid \(UTC\),invoice,paymentId,orderId,Method,total,currency,charged,chargedCurrency,operationId,VAT,Rate,Treatment,/,
    )
    expect(line).toMatch(
      new RegExp(
        `^2026-06-30T23:00:00.000Z,20.*,${sales.contradicts},.*,card,30.00,EUR,30.00,EUR,,4.79,19,oss,DE,DE,PL,,contradicts,,,,,$`,
      ),
    )
    expect(end).toBe('')
    const rows = await shop.db.selectFrom('operator_actions').select(['command', 'outcome']).execute()
    expect(rows).toContainEqual({ command: 'vat-evidence list', outcome: 'done' })
  })
})
