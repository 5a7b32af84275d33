import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { describe, expect, test } from 'vitest'
import { type CommissionData, commissionPdf } from './commission-pdf.ts'

const { legalName, vatNumber } = DEFAULT_BRAND.company

const aDocument = (more: Partial<CommissionData> = {}): CommissionData => ({
  kind: 'commission',
  is: 'self-billed',
  issuer: DEFAULT_BRAND,
  made: new Date('2026-11-28T10:00:00Z'),
  number: 'CM-2026-000007',
  issued: '28/11/2026 10:00',
  partner: { name: 'Ada Ltd', address: ['1 Lane', 'London'], vatNumber: 'GB123456789' },
  paid: '28/11/2026 10:00',
  reference: 'HEDGE 12',
  net: '£208.33',
  vat: '£41.67',
  vatRate: 20,
  total: '£250.00',
  ...more,
})

const textOf = async (more?: Partial<CommissionData>) => readPdf(await commissionPdf(aDocument(more)))

describe.skipIf(!hasPdfTools)('the document of a commission', () => {
  test('is the self-billed VAT invoice of a partner who is registered', async () => {
    const { text, isClean, areFontsWhole, pages } = await textOf()
    for (const part of [
      'Self-billed invoice',
      'Number CM-2026-000007, issued 28/11/2026 10:00',
      'Customer',
      legalName,
      `VAT number ${vatNumber}`,
      'Supplier',
      'Ada Ltd',
      '1 Lane',
      'VAT number GB123456789',
      'Paid (tax point) 28/11/2026 10:00',
      'HEDGE 12',
      'Net £208.33',
      'VAT 20% included £41.67',
      'Total paid £250.00',
      'Self-billing. The VAT shown is your output tax due to HMRC.',
    ])
      expect(text).toContain(part)
    expect({ isClean, areFontsWhole, pages }).toEqual({ isClean: true, areFontsWhole: true, pages: 1 })
  })

  test('has no VAT under the reverse charge, and says so', async () => {
    const { text } = await textOf({ is: 'reverse-charge', net: '€250.00', vat: '€0.00', vatRate: 0 })
    for (const part of ['Self-billed invoice', 'VAT, reverse charge €0.00', 'Self-billing. Reverse charge'])
      expect(text).toContain(part)
    expect(text).not.toContain('HMRC')
  })

  test('is a statement for who is not registered', async () => {
    const { text } = await textOf({ is: 'statement', partner: { name: 'Ada', address: [] } })
    expect(text).toContain('Commission statement')
    expect(text).toContain('It is not a VAT invoice.')
    expect(text).not.toMatch(/Net|included|Self-billing|Supplier/)
  })

  test('is printed whatever the bank called the transfer, and however long a name is', async () => {
    const partner = { name: 'Ж'.repeat(200), address: Array.from({ length: 6 }, () => 'x'.repeat(50)) }
    const { pages } = await textOf({ partner, reference: `HEDGE \u{1F600} ${'9'.repeat(90)}` })
    expect(pages).toBe(1)
  })
})
