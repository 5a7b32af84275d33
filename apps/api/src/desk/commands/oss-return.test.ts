import { describe, expect, test } from 'vitest'
import { aCreditNote, anInvoice, openBooks } from '#testing/papers.ts'

const at = (day: string) => `${day}T12:00:00.000Z`
const ossOf = (country: string) => ({ treatment: 'oss', country }) as const

const aShop = async () => {
  const shop = await openBooks()
  const { ops } = shop
  const ossReturn = async (quarter: string) => {
    const { code, err, json } = await ops('oss-return', '--quarter', quarter, '--json')
    expect([code, err]).toEqual([0, ''])
    return json
  }
  return { shop, ops, ossReturn }
}

describe('ops oss-return', { timeout: 120_000 }, () => {
  test('tells what each country is owed, in euro, and corrects earlier quarters apart', async () => {
    const { shop, ops, ossReturn } = await aShop()
    const earlier = await anInvoice(shop, {
      paidAt: at('2026-06-30'),
      currency: 'EUR',
      totalMinor: 11_900,
      vatRate: 19,
      vat: ossOf('DE'),
    })
    const sale = {
      paidAt: at('2026-07-01'),
      currency: 'EUR',
      totalMinor: 11_900,
      vatRate: 19,
      vat: ossOf('DE'),
    } as const
    const sold = await anInvoice(shop, sale)
    await anInvoice(shop, sale)
    await anInvoice(shop, { ...sale, currency: 'GBP', totalMinor: 10_476, vatRate: 20, vat: ossOf('FR') })
    // What is declared elsewhere, or nowhere.
    await anInvoice(shop, { ...sale, vatRate: 0, vat: { treatment: 'reverse-charge', country: 'DE' } })
    await anInvoice(shop, { paidAt: at('2026-07-01'), totalMinor: 1200 })
    await aCreditNote(shop, sold, { refundedAt: at('2026-09-30') })
    await aCreditNote(shop, earlier, {
      refundedAt: at('2026-07-02'),
      totalMinor: 1_190,
      netMinor: 1_000,
      vatMinor: 190,
    })

    const refused = await ops('oss-return', '--quarter', '2026-Q3')
    expect(refused.err).toBe(
      "The return cannot be made without the European Central Bank's rate of GBP of 2026-09-30, or of the next day " +
        'that it was published (rate ecb set GBP RATE --day 2026-09-30).\n',
    )
    expect(refused.code).toBe(1)
    await ops('rate', 'ecb', 'set', '--rate', '0.80', '--day', '2026-09-29')
    expect((await ops('oss-return', '--quarter', '2026-Q3')).code).toBe(1)
    await ops('rate', 'ecb', 'set', '--rate', '0.8730', '--day', '2026-09-30')

    const told = await ossReturn('2026-Q3')
    expect(told.rows).toEqual([
      {
        country: 'DE',
        rate: 19,
        invoices: 2,
        creditNotes: 1,
        net: '100.00',
        vat: '19.00',
        inEuro: { net: '100.00', vat: '19.00' },
        inPounds: { net: '0.00', vat: '0.00' },
      },
      expect.objectContaining({
        country: 'FR',
        rate: 20,
        net: '100.00',
        vat: '20.00',
        inPounds: { net: '87.30', vat: '17.46' },
      }),
    ])
    expect(told.corrections).toEqual([
      { country: 'DE', period: '2026-Q2', creditNotes: 1, net: '-10.00', vat: '-1.90' },
    ])
    expect(told.totals).toEqual({ net: '200.00', vat: '39.00', corrections: '-1.90', due: '37.10' })
    expect(told.rates).toEqual([{ quarter: '2026-Q3', day: '2026-09-30', rate: '0.873' }])
    expect((await ossReturn('2026-q2')).rows).toMatchObject([{ country: 'DE', vat: '19.00' }])
    const { out } = await ops('oss-return', '--quarter', '2026-Q3', '--csv')
    expect(out).toBe(
      'kind,country,period,rate,net,vat,currency\r\n' +
        'sales,DE,2026-Q3,19,100.00,19.00,EUR\r\nsales,FR,2026-Q3,20,100.00,20.00,EUR\r\n' +
        'correction,DE,2026-Q2,,-10.00,-1.90,EUR\r\n',
    )
    const { out: table } = await ops('oss-return', '--quarter', '2026-Q3')
    expect(table).toMatch(/DE +19% +2 +1 +€100\.00 +€19\.00/)
    expect(table).toContain('Net €200.00, VAT €39.00, corrections -€1.90: €37.10 to pay.')
  })

  test('takes the next day that was published, where the last of a quarter was none', async () => {
    const { shop, ops, ossReturn } = await aShop()
    await anInvoice(shop, { paidAt: at('2026-02-01'), totalMinor: 873, vatRate: 0, vat: ossOf('IE') })
    await ops('rate', 'ecb', 'set', '--rate', '0.8730', '--day', '2026-04-02')
    expect(await ossReturn('2026-Q1')).toMatchObject({
      totals: { net: '10.00' },
      rates: [{ quarter: '2026-Q1', day: '2026-04-02' }],
    })
  })

  test('of a quarter without such sales is a nil return, which is due all the same', async () => {
    const { ops, ossReturn } = await aShop()
    expect(await ossReturn('2026-Q1')).toMatchObject({ rows: [], totals: { due: '0.00' }, notes: [] })
    expect((await ops('oss-return', '--quarter', '2026-Q1')).out).toContain(
      'a nil return is due all the same',
    )
    expect((await ossReturn('2099-Q4')).notes).toEqual([expect.stringContaining('is not over')])
    expect((await ops('oss-return', '--quarter', '2026')).code).toBe(2)
    expect((await ops('oss-return')).code).toBe(2)
  })
})
