import { readFile } from 'node:fs/promises'
import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import { SHIPPED_LEGAL_DATE, unfinishedIn } from '@hedgerow/domain/legal-texts'
import { ENDED_KEPT_DAYS } from '@hedgerow/domain/nodes'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { describe, expect, test } from 'vitest'
import { legalPdf } from './legal-pdf.ts'

const sourceOf = (name: string) => readFile(new URL(`../legal/${name}.md`, import.meta.url), 'utf8')

const pdfOf = async (name: string, brand = DEFAULT_BRAND) =>
  readPdf(await legalPdf(await sourceOf(name), brand))

describe.skipIf(!hasPdfTools)('a legal text', () => {
  test.each(['terms-of-service', 'privacy-policy'])('%s is a clean, tagged document', async (name) => {
    const { isClean, areFontsWhole, facts, text } = await pdfOf(name)
    expect({ isClean, areFontsWhole }).toEqual({ isClean: true, areFontsWhole: true })
    expect(facts).toMatch(/Tagged:\s+yes/)
    expect(unfinishedIn(text.replaceAll(/\s+/g, ' '))).toBeUndefined()
    expect(text).not.toMatch(/template|lawyer/i)
    expect(text).not.toMatch(/\{\{|\*\*|undefined/)
  })

  test.each(['terms-of-service', 'privacy-policy'])('%s comes back word for word', async (name) => {
    const { text } = await pdfOf(name)
    const words = (await sourceOf(name))
      .replace(/\{\{\w+\}\}/g, ' ')
      .replace(/[#>*]|^- /gm, ' ')
      .split(/\s+/)
    for (const word of words) expect(text).toContain(word)
  })

  test.each(['terms-of-service', 'privacy-policy'])('%s names the day of its version', async (name) => {
    const day = new Date(SHIPPED_LEGAL_DATE)
    const words = day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
    expect(await sourceOf(name)).toContain(`\nVersion of ${words}\n`)
  })

  test('says how long ended connections are kept', async () => {
    const { text } = await pdfOf('privacy-policy')
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `until ${ENDED_KEPT_DAYS} days after the connection has ended`,
    )
  })

  test('is a form to cancel by, on one page, with the company that it goes to', async () => {
    const { isClean, facts, text } = await pdfOf('cancellation-form')
    expect(isClean).toBe(true)
    expect(facts).toMatch(/Pages:\s+1$/m)
    for (const words of [
      'hereby give notice',
      DEFAULT_BRAND.company.legalName,
      'only if this form is notified on paper',
    ])
      expect(text.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(text).not.toMatch(/\{\{|undefined/)
  })

  test('names who runs the shop', async () => {
    const company = { ...DEFAULT_BRAND.company, legalName: 'Gęś i Łąka Ltd', registeredOffice: 'Łódź' }
    const { text, facts } = await pdfOf('terms-of-service', {
      ...DEFAULT_BRAND,
      name: 'Живая изгородь',
      company,
    })
    expect(text).toContain('Gęś i Łąka Ltd, trading as Живая изгородь')
    expect(text).not.toContain('Hedgerow')
    expect(facts).toContain('Живая изгородь')
  })

  test('no heading is left alone at the foot of a page', async () => {
    const source = Array.from({ length: 60 }, (_, i) => `## Heading ${i}\n\n${'word '.repeat(10 + i)}`).join(
      '\n\n',
    )
    const { text } = await readPdf(await legalPdf(source, DEFAULT_BRAND))
    expect(text).not.toMatch(/Heading \d+ Hedgerow, Heading 0 Page/)
  })
})

test.each([
  ['a detail that nobody knows', 'Call {{fax}}', /fax/],
  ['an unpaired mark', 'Some **text', /has no other/],
  ['a kind of text that is not known', '1. one', /not known/],
])('%s stops the build', async (_, source, message) => {
  await expect(Promise.try(() => legalPdf(source, DEFAULT_BRAND))).rejects.toThrow(message)
})
