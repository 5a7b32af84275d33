import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { describe, expect, test } from 'vitest'
import { commissionPdf } from './commission-pdf.ts'
import { type CreditNoteData, creditNotePdf } from './credit-note-pdf.ts'
import { evidencePdf } from './evidence-pdf.ts'
import { type InvoiceData, invoicePdf } from './invoice-pdf.ts'
import type { TaxFacts } from './tax-document.ts'
import { PAYMENT } from './testing/payment-facts.ts'

type Invoice = Extract<InvoiceData, { kind: 'invoice' }>

const issuer = { name: DEFAULT_BRAND.name, company: DEFAULT_BRAND.company }
const made = new Date('2026-11-21T14:06:00Z')
const ADA = { name: 'Ada Lovelace', address: ['12 St James’s Square', 'SW1Y 4JH London', 'United Kingdom'] }
const STERLING = {
  net: '£32.73',
  vat: '£6.55',
  total: '£39.28',
  rate: '1.15',
  currency: 'EUR',
  since: '01/11/2026',
}
const CHARGED = { sum: '192.03 PLN', rate: '4.2512', currency: 'EUR', ratedAt: '21/11/2026 14:00' }

const anInvoice = (more: Partial<Invoice> = {}): Invoice => ({
  kind: 'invoice',
  issuer,
  made,
  payment: { ...PAYMENT, total: '€45.17' },
  number: '2026-000007',
  issued: '21/11/2026 14:06',
  details: '30 days, 3 connections, Priority bandwidth',
  quantity: '1, at €37.64 without VAT',
  net: '€37.64',
  vat: '€7.53',
  vatRate: 20,
  customer: ADA,
  supply: { treatment: 'uk' },
  ...more,
})

const aNote = (more: Partial<CreditNoteData> = {}): CreditNoteData => ({
  kind: 'credit-note',
  issuer,
  made,
  number: 'CN-2026-000001',
  issued: '22/11/2026 10:01',
  invoice: { number: '2026-000007', issued: '21/11/2026 14:06' },
  refunded: '22/11/2026 10:00',
  reason: 'The purchase was cancelled',
  description: 'PURCHASE: Timed VPN connections',
  details: '30 days, 3 connections, Priority bandwidth',
  method: 'Visa/Mastercard',
  pan: '400000******0077',
  net: '€18.82',
  vat: '€3.77',
  vatRate: 20,
  total: '€22.59',
  customer: ADA,
  supply: { treatment: 'uk' },
  ...more,
})

const LONG = 'W'.repeat(200)

/** As long as the profile takes them, in the widest of letters. */
const longest: TaxFacts = {
  customer: { name: LONG, address: [LONG, 'W'.repeat(121), 'W'.repeat(100)], vatNumber: 'DE123456789' },
  supply: { treatment: 'reverse-charge', country: 'Germany' },
  sterling: STERLING,
  charged: CHARGED,
}

describe.skipIf(!hasPdfTools)('an invoice', () => {
  test.each([
    [
      'its customer',
      {},
      ['Customer', 'Ada Lovelace', 'SW1Y 4JH London', 'Quantity 1, at €37.64 without VAT'],
    ],
    [
      'the tax in pounds, with the rate and its day',
      { sterling: STERLING },
      [
        'VAT 20% included €7.53',
        'Net in pounds £32.73',
        'VAT in pounds £6.55',
        'Total in pounds £39.28',
        "In pounds at HMRC's rate of 1.15 EUR to the pound, from 01/11/2026.",
      ],
    ],
    [
      'what was charged in złoty, and the rate of it',
      { charged: CHARGED },
      [
        'Total €45.17',
        'Charged 192.03 PLN',
        'Charged in złoty at 4.2512 PLN to the euro, the rate of 21/11/2026 14:00.',
      ],
    ],
    [
      'whose tax it is, at a rate with a decimal, and where it is declared',
      {
        issuer: { ...issuer, ossNumber: 'EU372123456' },
        supply: { treatment: 'oss', country: 'Finland' },
        vatRate: 25.5,
      },
      ['VAT of Finland, 25.5%, included €7.53', 'One Stop Shop number EU372123456'],
    ],
    [
      'that the customer accounts for the tax, and both numbers',
      {
        supply: { treatment: 'reverse-charge', country: 'Germany' },
        customer: { ...ADA, vatNumber: 'DE123456789' },
        vat: '€0.00',
        vatRate: 0,
      },
      [
        'VAT, reverse charge €0.00',
        'Reverse charge: the customer accounts for the VAT (articles 44 and 196 of Directive 2006/112/EC).',
        'VAT number DE123456789',
        `VAT number ${DEFAULT_BRAND.company.vatNumber}`,
      ],
    ],
    [
      'that no tax is owed here',
      { supply: { treatment: 'outside' }, vat: '€0.00', vatRate: 0 },
      ['VAT, outside the scope €0.00', 'Outside the scope of UK VAT.'],
    ],
  ] satisfies [string, Partial<Invoice>, string[]][])('says %s', async (_, more, parts) => {
    const { text, pages, isClean, areFontsWhole } = await readPdf(await invoicePdf(anInvoice(more)))
    for (const part of parts) expect(text).toContain(part)
    expect({ pages, isClean, areFontsWhole }).toEqual({ pages: 1, isClean: true, areFontsWhole: true })
  })

  test('of before the tax was kept is printed as it was, word for word', async () => {
    const { customer: _, supply: __, quantity: ___, ...before } = anInvoice()
    const pdf = await invoicePdf(before)
    const { text } = await readPdf(pdf)
    expect(text).toContain('Seller Example Hedgerow Limited, trading as Hedgerow 1 Example Street')
    expect(text).toContain('Date of payment 21/11/2026 14:05 Description')
    expect(text).toContain('Net €37.64 VAT 20% included €7.53 Total €45.17 Hedgerow, Invoice 2026-000007')
    expect(text).not.toMatch(/Customer|Quantity|tax point|pounds/)
    expect(pdf.toString('latin1')).not.toContain('pdfaid')
  })

  test.each([
    ['李小龍', '李小龍'],
    ['Ахмед 東京 Łódź', 'Ахмед 東京 Łódź'],
    ['Ada 👩', 'Ada'],
    ['ཀརྨ', 'As in the account; written in'],
    ['𠮷田', 'As in the account; written in'],
    [`a${'\u0301'.repeat(9)} b`, 'b'],
    ['Ada\u0007Lovelace', 'Ada Lovelace'],
    ['\u200b', 'As in the account; written in'],
  ])('of a customer called %j is printed, with %s', async (name, shown) => {
    const { text, pages } = await readPdf(
      await invoicePdf(anInvoice({ customer: { name, address: ['日本', '\u2060'] } })),
    )
    expect(text).toContain(shown)
    expect(text).toContain('日本')
    expect(pages).toBe(1)
  })

  test('with the longest of names and addresses is whole, and on one page', async () => {
    const discount = { price: '€50.00', label: `Promocode ${'W'.repeat(20)}`, sum: '−€4.83' }
    const payment = { ...anInvoice().payment, cardHolder: 'W'.repeat(100) }
    const { text, pages } = await readPdf(await invoicePdf(anInvoice({ ...longest, discount, payment })))
    expect(text.match(/W/g)?.length).toBeGreaterThan(2 * 200 + 121 + 2 * 100)
    expect(pages).toBe(1)
    expect((await readPdf(await creditNotePdf(aNote(longest)))).pages).toBe(1)
  })
})

test.skipIf(!hasPdfTools)('a credit note says what it takes off which invoice, and why', async () => {
  const pdf = await creditNotePdf(
    aNote({ sterling: STERLING, charged: CHARGED, method: 'Blik, 192.03 PLN at 4.2512' }),
  )
  const { text, pages, isClean, areFontsWhole, facts } = await readPdf(pdf)
  for (const part of [
    'Credit note Number CN-2026-000001, issued 22/11/2026 10:01',
    'Customer',
    'Ada Lovelace',
    'Credits invoice 2026-000007, issued 21/11/2026 14:06',
    'Refunded (tax point) 22/11/2026 10:00',
    'Reason The purchase was cancelled',
    'Net credited €18.82',
    'VAT 20% included €3.77',
    'Total credited €22.59',
    'Paid back 192.03 PLN',
    'VAT in pounds £6.55',
  ])
    expect(text).toContain(part)
  expect({ pages, isClean, areFontsWhole }).toEqual({ pages: 1, isClean: true, areFontsWhole: true })
  expect(facts).toMatch(/Title:\s+Credit note CN-2026-000001/)
  expect(facts).toMatch(/Tagged:\s+yes/)
})

const ACME = { ...issuer, company: { ...issuer.company, legalName: 'Wren & <Sons> "Ltd"' } }

/** The metadata stands in the file as it is. */
const metadataOf = (pdf: Buffer): string =>
  pdf.toString('utf8').match(/<x:xmpmeta[\s\S]*<\/x:xmpmeta>/)?.[0] ?? ''

test.each([
  ['an invoice', () => invoicePdf(anInvoice({ issuer: ACME }))],
  ['a credit note', () => creditNotePdf(aNote({ issuer: ACME }))],
])('%s is made to be kept: it claims PDF/A-3 and PDF/UA, and has what that takes', async (_, make) => {
  const pdf = await make()
  const metadata = metadataOf(pdf)
  for (const claim of [
    '<pdfaid:part>3</pdfaid:part>',
    '<pdfaid:conformance>A</pdfaid:conformance>',
    '<pdfuaid:part>1</pdfuaid:part>',
    '<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>',
    '<xmp:ModifyDate>2026-11-21T14:06:00Z</xmp:ModifyDate>',
    '<rdf:li>Wren &amp; &lt;Sons&gt; &quot;Ltd&quot;</rdf:li>',
  ])
    expect(metadata).toContain(claim)
  expect(metadata).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/)
  const bytes = pdf.toString('latin1')
  for (const part of [
    '/OutputIntents',
    '/GTS_PDFA1',
    '/Marked true',
    '/Lang (en-GB)',
    '/DisplayDocTitle true',
  ])
    expect(bytes).toContain(part)
  expect(bytes).not.toMatch(/\/(?:Encrypt|JavaScript|Launch|EmbeddedFile)\b/)
  expect(await make()).toEqual(pdf)
})

const MIXED = { name: '東京 محمد علی Łukasz', address: ['千代田区 12', 'شارع الحرية', 'Łódź'] }

test.skipIf(!hasPdfTools).each([
  ['a credit note', () => creditNotePdf(aNote({ customer: MIXED }))],
  [
    'the document of a commission',
    () =>
      commissionPdf({
        ...{ kind: 'commission', is: 'statement', issuer, made, number: 'CM-2026-000007' },
        ...{ issued: '28/11/2026 10:00', paid: '28/11/2026 10:00', reference: 'HEDGE 12' },
        ...{ partner: MIXED, net: '£250.00', vat: '£0.00', vatRate: 0, total: '£250.00' },
      }),
  ],
  [
    'evidence',
    () =>
      evidencePdf({
        ...{ issuer, made, title: 'Evidence', summary: [MIXED.name] },
        sections: [{ heading: MIXED.name, facts: [['Address', MIXED.address.join(', ')]] }],
      }),
  ],
] as const)('%s has a name in several scripts as it was typed', async (_, make) => {
  const { text, areFontsWhole } = await readPdf(await make())
  for (const part of ['東京', 'محمد علی', 'Łukasz', '千代田区', 'شارع الحرية', 'Łódź'])
    expect(text).toContain(part)
  expect(areFontsWhole).toBe(true)
})
