import * as contract from '@hedgerow/contract/console/returns'
import { describe, expect, test } from 'vitest'
import { returnsRoutes } from '#desk/returns/returns.routes.ts'
import { setAccountingRate } from '#sales/invoices/set-accounting-rate.ts'
import { callsBy } from '#testing/calls.ts'
import { aCreditNote, anInvoice, openBooks } from '#testing/papers.ts'

const at = (day: string) => `${day}T12:00:00.000Z`

const open = async () => {
  const books = await openBooks()
  const { db } = books
  const calls = callsBy((app) => returnsRoutes(app, { db, exportDb: db, log: console as never }))
  return {
    books,
    call: (call: Parameters<typeof calls.call>[0], query: object) => calls.call(call, { query }),
  }
}

describe('the VAT return', () => {
  const OCTOBER = { month: '2026-10' }

  test('is told with its boxes by their numbers, and as rows for another program', async () => {
    const { books, call } = await open()
    const sold = await anInvoice(books, { paidAt: at('2026-10-05'), totalMinor: 12_000 })
    await anInvoice(books, {
      paidAt: at('2026-10-05'),
      totalMinor: 11_900,
      vatRate: 19,
      vat: { treatment: 'oss', country: 'DE' },
    })
    await aCreditNote(books, sold, {
      refundedAt: at('2026-10-06'),
      totalMinor: 1_200,
      netMinor: 1_000,
      vatMinor: 200,
    })
    const sums = {
      invoices: 1,
      invoicesNet: '100.00',
      creditNotes: 1,
      creditNotesVat: '2.00',
      net: '90.00',
      vat: '18.00',
    }
    expect(await call(contract.getVatReturn, OCTOBER)).toMatchObject({
      from: '2026-10-01',
      to: '2026-10-31',
      rows: [{ treatment: 'uk', country: 'GB', rate: 20, ...sums }, { treatment: 'oss' }],
      totals: { invoices: 2, net: '190.00', vat: '37.00' },
      boxes: expect.arrayContaining([
        { box: 1, name: 'vatDueSales', what: 'VAT due on sales', says: '18.00', part: 'shop' },
        {
          box: 4,
          name: 'vatReclaimedCurrPeriod',
          what: 'VAT reclaimed on purchases',
          says: null,
          part: 'accounts',
        },
        { box: 6, name: 'totalValueSalesExVAT', what: 'sales without VAT', says: '90', part: 'shop' },
      ]),
      notes: [
        expect.stringContaining('Boxes 1, 3 and 6 are the shop’s part only.'),
        expect.stringContaining('£100.00, is not in box 6'),
      ],
    })
    expect(await call(contract.getVatReturn, { ...OCTOBER, ossInBox6: 'true' })).toMatchObject({
      boxes: expect.arrayContaining([expect.objectContaining({ box: 6, says: '190' })]),
      notes: [expect.stringContaining('reverse charge')],
    })
    const file = (await call(contract.vatReturnFile, OCTOBER)) as string
    expect(file.split('\r\n')[1]).toBe('uk,GB,20,1,100.00,20.00,1,10.00,2.00,90.00,18.00')
    const { out } = await books.ops('vat-return', '--from', '2026-10-01', '--to', '2026-10-31')
    expect(out).toMatch(/^uk +GB +20 +1 +100\.00 +20\.00 +1 +10\.00 +2\.00 +90\.00 +18\.00$/m)
    expect(out).toMatch(/^1 +vatDueSales +VAT due on sales +18\.00 +shop$/m)
  })

  test('says which rate lacks', async () => {
    const { books, call } = await open()
    await anInvoice(books, { paidAt: at('2026-10-05'), currency: 'EUR' })
    for (const one of [contract.getVatReturn, contract.vatReturnFile])
      await expect(call(one, OCTOBER)).rejects.toThrow(
        'This needs HMRC’s rate of EUR for 2026-10, which is to be set first.',
      )
  })

  test.each([
    [{}],
    [{ from: '2026-10-01' }],
    [{ from: '2026-10-02', to: '2026-10-01' }],
    [{ from: '2026-02-30', to: '2026-10-01' }],
    [{ quarter: '2026-Q5' }],
    [{ month: '2026-10', quarter: '2026-Q4' }],
  ])('is not made of %j', async (query) => {
    const { call } = await open()
    await expect(call(contract.getVatReturn, query)).rejects.toThrow()
  })
})

describe('the return of the One Stop Shop', () => {
  const earlier = { paidAt: at('2026-06-30'), currency: 'EUR', totalMinor: 11_900, vatRate: 19 } as const
  const oss = { treatment: 'oss', country: 'DE' } as const

  test('has its sales and corrections, also as they are typed into the portal', async () => {
    const { books, call } = await open()
    const before = await anInvoice(books, { ...earlier, vat: oss })
    await anInvoice(books, { ...earlier, vat: oss, paidAt: at('2026-07-01') })
    await anInvoice(books, {
      paidAt: at('2026-07-01'),
      totalMinor: 873,
      vatRate: 0,
      vat: { ...oss, country: 'IE' },
    })
    await aCreditNote(books, before, {
      refundedAt: at('2026-07-02'),
      totalMinor: 1_190,
      netMinor: 1_000,
      vatMinor: 190,
    })
    const rate = { currency: 'GBP', day: '2026-09-30', rateMicro: 873_000 }
    const query = { quarter: '2026-q3' }
    await expect(call(contract.getOssReturn, query)).rejects.toThrow(
      'This needs the European Central Bank’s rate of GBP of 2026-09-30, or of the next day',
    )
    await books.db.transaction().execute((trx) => setAccountingRate(trx, 'ecb', rate))
    expect(await call(contract.getOssReturn, query)).toMatchObject({
      quarter: '2026-Q3',
      currency: 'EUR',
      rows: [
        {
          country: 'DE',
          rate: 19,
          invoices: 1,
          net: '100.00',
          vat: '19.00',
          euroNet: '100.00',
          poundsNet: '0.00',
        },
        { country: 'IE', net: '10.00', poundsNet: '8.73' },
      ],
      corrections: [{ country: 'DE', period: '2026-Q2', creditNotes: 1, net: '-10.00', vat: '-1.90' }],
      totals: { net: '110.00', vat: '19.00', corrections: '-1.90', due: '17.10' },
      rates: [{ quarter: '2026-Q3', day: '2026-09-30', rate: '0.873' }],
      notes: [expect.stringContaining('converted at 0.873 for €1')],
    })
    expect(await call(contract.ossReturnFile, query)).toBe(
      '\uFEFFkind,country,period,rate,net,vat,currency\r\n' +
        'sales,DE,2026-Q3,19,100.00,19.00,EUR\r\nsales,IE,2026-Q3,0,10.00,0.00,EUR\r\n' +
        'correction,DE,2026-Q2,,-10.00,-1.90,EUR\r\n',
    )
  })

  test('says that a quarter is not over, and is made of no quarter that there is not', async () => {
    const { call } = await open()
    const { notes } = (await call(contract.getOssReturn, { quarter: '2099-Q4' })) as { notes: string[] }
    expect(notes).toEqual([expect.stringContaining('is not over')])
    for (const quarter of ['2026-Q5', '2026', ''])
      await expect(call(contract.getOssReturn, { quarter })).rejects.toThrow()
  })
})
