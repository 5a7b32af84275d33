import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { describe, expect, test } from 'vitest'
import { type InvoiceData, invoicePdf, type PaymentFacts } from './invoice-pdf.ts'
import { PAYMENT } from './testing/payment-facts.ts'
import { TextRefused } from './text-refused.ts'

const common = (payment: Partial<PaymentFacts>) => ({
  issuer: DEFAULT_BRAND,
  made: new Date('2026-11-21T14:05:00Z'),
  payment: { ...PAYMENT, ...payment },
})

const aRecord = (payment: Partial<PaymentFacts> = {}): InvoiceData => ({ kind: 'record', ...common(payment) })

const anInvoice = (payment: Partial<PaymentFacts> = {}): InvoiceData => ({
  kind: 'invoice',
  ...common(payment),
  number: '2026-000007',
  issued: '21/11/2026 14:06',
  details: '30 days, 3 connections, Priority bandwidth',
  net: '£37.64',
  vat: '£7.53',
  vatRate: 20,
})

const { legalName, registeredOffice, number, vatNumber, email } = DEFAULT_BRAND.company

describe.skipIf(!hasPdfTools)('what is printed', () => {
  test('an invoice has its number, the seller, the payment, and the VAT in the price', async () => {
    const { text, isClean, areFontsWhole, pages, facts } = await readPdf(await invoicePdf(anInvoice()))
    for (const part of [
      'Invoice',
      'Number 2026-000007, issued 21/11/2026 14:06',
      legalName,
      registeredOffice,
      number,
      `VAT number ${vatNumber}`,
      email,
      '30 days, 3 connections, Priority bandwidth',
      ...Object.values(PAYMENT),
      'Net £37.64',
      'VAT 20% included £7.53',
      'Total £45.17',
    ])
      expect(text).toContain(part)
    expect({ isClean, areFontsWhole, pages }).toEqual({ isClean: true, areFontsWhole: true, pages: 1 })
    expect(facts).toMatch(/Title:\s+Invoice 2026-000007/)
    expect(facts).toMatch(/Tagged:\s+yes/)
    expect(facts).toMatch(/A4/)
  })

  test('a record says that it is no invoice, and has neither number nor VAT', async () => {
    const { text, isClean, areFontsWhole } = await readPdf(await invoicePdf(aRecord({ total: '€45.17' })))
    expect(text).toContain('Payment record')
    expect(text).toContain(`This is not an invoice of ${legalName}.`)
    expect(text).toContain('carries no invoice number')
    expect(text).toContain('Total €45.17')
    expect(text).not.toMatch(/VAT|Seller|Net|Number \d/)
    expect({ isClean, areFontsWhole }).toEqual({ isClean: true, areFontsWhole: true })
  })

  test.each([
    'Łódź Gdańsk Żółć',
    'Ærøskøbing Åse Øyvind',
    'Ğüneş İpek Şahin ılgaz',
    'Erdős Őze Űrhajó',
    'Þórður Ðagur',
    'Иван Щёголев, Їжак, Ђорђе',
    'Γεώργιος Παπαδόπουλος',
    'Jean-François d’Été',
    'Mac an tSaoi, difficult office',
    '£1 €2 zł3 ₺4',
  ])('%s can be read again', async (cardHolder) => {
    expect((await readPdf(await invoicePdf(aRecord({ cardHolder })))).text).toContain(cardHolder)
  })

  test('a long text runs over several lines, and all of it is there', async () => {
    const description = Array.from({ length: 25 }, (_, i) => `word-${i}`).join(' ')
    const { text, pages } = await readPdf(await invoicePdf(aRecord({ description })))
    for (const word of description.split(' ')) expect(text).toContain(word)
    expect(pages).toBe(1)
  })

  test('a name that no font here can draw keeps nobody from their invoice', async () => {
    const { text } = await readPdf(await invoicePdf(anInvoice({ cardHolder: 'ཀརྨ' })))
    expect(text).toContain('As on the card')
    expect(text).toContain('2026-000007')
  })
})

const refusalOf = async (data: InvoiceData) => {
  const error = await Promise.try(() => invoicePdf(data)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TextRefused)
  return error as TextRefused
}

test.each(['ཀརྨ', '😀', 'ကို'])('%s is refused, never drawn as boxes', async (cardHolder) => {
  const { path, message } = await refusalOf(aRecord({ cardHolder }))
  expect(path).toBe('cardHolder')
  expect(message).toMatch(/^The document cannot show the character . \(U\+[0-9A-F]+\)$/u)
})

test.each([
  ['a line break', 'a\nb'],
  ['half a character', 'a\uD800'],
  ['marks without end', `a${'\u0301'.repeat(9)}`],
])('%s is refused', async (_, description) => {
  expect((await refusalOf(aRecord({ description }))).path).toBe('description')
})

test.each([
  ['description', 'W'.repeat(400)],
  ['method', 'W'.repeat(200)],
  ['authCode', '8'.repeat(300)],
  ['total', `€${'9'.repeat(60)}`],
] as const)('a %s that does not fit is refused, never cut off', async (path, text) => {
  const refused = await refusalOf(aRecord({ [path]: text }))
  expect(refused).toMatchObject({ path, message: 'This text is too long for the document' })
})

test('the same invoice is the same file, to the byte', async () => {
  expect(await invoicePdf(anInvoice())).toEqual(await invoicePdf(anInvoice()))
})
