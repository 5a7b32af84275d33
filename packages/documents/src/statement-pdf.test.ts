import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { describe, expect, test } from 'vitest'
import { type StatementData, statementPdf } from './statement-pdf.ts'

const aStatement = (more: Partial<StatementData> = {}): StatementData => ({
  kind: 'statement',
  issuer: DEFAULT_BRAND,
  made: new Date('2026-11-28T10:00:00Z'),
  month: 'October 2026',
  before: 'September 2026',
  standing: 'Closed 28/11/2026 10:00',
  lines: [
    { what: 'Sales, without VAT', sum: '£1,234.50', before: '£900.00', kind: 'part' },
    { what: 'Gateway’s fees', sum: '−£34.50', before: '−£20.00', kind: 'part' },
    { what: 'What remains', sum: '£1,200.00', before: '£880.00', kind: 'total' },
    { what: 'Paid to partners', sum: '£0.00', before: 'not known', kind: 'beside' },
  ],
  corrections: [],
  notes: ['A month goes by the days of London.'],
  ...more,
})

describe.skipIf(!hasPdfTools)('the statement of a month on paper', () => {
  test('has each sum beside that of the month before, on one page', async () => {
    const { text, isClean, areFontsWhole, pages } = await readPdf(await statementPdf(aStatement()))
    for (const part of [
      'Statement, October 2026',
      'Closed 28/11/2026 10:00',
      DEFAULT_BRAND.company.legalName,
      'In pounds October 2026 September 2026',
      'Sales, without VAT £1,234.50 £900.00',
      'Gateway’s fees −£34.50 −£20.00',
      'What remains £1,200.00 £880.00',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('Changed since')
    expect({ isClean, areFontsWhole, pages }).toEqual({ isClean: true, areFontsWhole: true, pages: 1 })
  })

  test('says what has changed since it was closed', async () => {
    const corrections = [{ what: 'Gateway’s fees', closed: '−£34.50', now: '−£36.00' }]
    const { text } = await readPdf(await statementPdf(aStatement({ corrections })))
    expect(text).toContain('Changed since it was closed')
    expect(text).toContain('Gateway’s fees −£34.50 −£36.00')
  })

  test('says who closed it and why all the same, whatever letters that is written in', async () => {
    const { text } = await readPdf(
      await statementPdf(aStatement({ closedBy: 'Ada', reason: 'One penny is known.' })),
    )
    expect(text).toContain('Closed 28/11/2026 10:00 by Ada')
    expect(text).toContain('It was closed all the same: One penny is known.')
    const other = await readPdf(await statementPdf(aStatement({ closedBy: '𐎠𐎭', reason: '𐎠𐎭' })))
    expect(other.text).toContain('by (in letters that this document cannot show)')
  })
})
