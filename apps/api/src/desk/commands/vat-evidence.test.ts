import type { Json } from '@hedgerow/testing/call'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { noteBankCountry } from '#money/payments/place-of-sale/note-bank-country.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { OSS, payFrom, taxOf } from '#testing/oss-shops.ts'
import { CARDS, type CardForm, reached } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { ...OSS, OSS_VAT_NUMBER: 'EU372000001' } })

const evidence = (...args: string[]) => runOps(opsSettings(shop), 'vat-evidence', 'list', ...args)

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

const paymentsOf = (json: Json): string[] => json.sales.map(({ payment }: Json) => payment)

describe('ops vat-evidence list', () => {
  test('tells of each sale what its place was determined by, and whether that agrees', async () => {
    const { json, code } = await evidence('--json')
    expect(code).toBe(0)
    expect(json.sales.map(({ payment, verdict }: Json) => [verdict, payment])).toEqual(Object.entries(sales))
    expect(json.sales[0]).toMatchObject({
      invoice: expect.stringMatching(/^20\d\d-\d{6}$/),
      method: 'card',
      total: { amount: '30.00', currency: 'EUR' },
      vat: { amount: '5.00', currency: 'EUR' },
      rate: '20',
      treatment: 'oss',
      taxedIn: 'FR',
      evidence: { chosen: 'MC', bank: 'FR', network: null },
      vatNumber: null,
    })
    expect(json.sales[3]).toMatchObject({
      treatment: 'reverse-charge',
      vat: { amount: '0.00', currency: 'EUR' },
      vatNumber: 'DE123456789',
      vatNumberStanding: 'valid',
      consultation: expect.stringMatching(/^WAPI/),
    })
  })

  test('goes by the day in London on which it was paid', async () => {
    const { json } = await evidence('--json', '--from', '2026-07-01', '--to', '2026-09-30')
    expect(paymentsOf(json)).toEqual([sales.contradicts, sales.single, sales.business])
    expect(paymentsOf((await evidence('--json', '--to', '2026-06-30')).json)).toEqual([sales.agrees])
  })

  test('lists those that contradict alone', async () => {
    expect(paymentsOf((await evidence('--json', '--contradicting')).json)).toEqual([sales.contradicts])
    const { out } = await evidence('--contradicting')
    expect(out).toMatch(/DE +PL +\? +CONTRADICTS/)
    expect(out).not.toContain(sales.agrees)
  })

  test('sums them up for people', async () => {
    const { out } = await evidence()
    expect(out).toContain(
      '4 sales: 1 with pieces that agree, 1 that contradict, 1 with one piece only, 1 to businesses.',
    )
    expect((await evidence('--from', '2030-01-01')).out).toBe('No sale found that asked for a country.\n')
  })

  test('prints a line for each to a spreadsheet', async () => {
    const { out } = await evidence('--csv', '--from', '2026-07-01', '--to', '2026-07-01')
    const [head, line, end] = out.split('\r\n')
    expect(head).toMatch(/^paid_at,payment,order,invoice,method,total,currency,vat,rate,/)
    expect(line).toMatch(
      new RegExp(
        `^2026-06-30T23:00:00.000Z,${sales.contradicts},.*,card,30.00,EUR,4.79,19,oss,DE,DE,PL,,contradicts,,,$`,
      ),
    )
    expect(end).toBe('')
  })

  test.each([
    ['--from', '2026-02-30'],
    ['--to', 'yesterday'],
    ['--json', '--csv'],
  ])('refuses %s %s', async (...args) => {
    expect((await evidence(...args)).code).toBe(2)
  })

  test('is recorded: it opens what customers have told', async () => {
    await evidence('--contradicting')
    const rows = await shop.db.selectFrom('operator_actions').select(['command', 'outcome']).execute()
    expect(rows).toContainEqual({ command: 'vat-evidence list', outcome: 'done' })
  })
})
