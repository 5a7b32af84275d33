import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEGAL_PATHS, SAMPLE_LEGAL_TEXTS, SHIPPED_LEGAL_DATE } from '@hedgerow/domain/legal-texts'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Environment, startTestShop } from '#testing/test-shop.ts'

const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-legal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A built storefront, with documents as the build makes them. */
const aStorefront = (notFoundPage = '<h1>Page not found</h1>') => {
  const root = aFolder()
  mkdirSync(join(root, 'assets'))
  mkdirSync(join(root, 'legal'))
  writeFileSync(join(root, 'spa-paths.json'), '[]')
  writeFileSync(join(root, 'spa.html'), '')
  writeFileSync(join(root, '404.html'), notFoundPage)
  writeFileSync(join(root, 'legal/terms_of_service.pdf'), '%PDF-shipped terms')
  writeFileSync(join(root, 'legal/privacy_policy.pdf'), '%PDF-shipped privacy')
  return root
}

const aFile = (name: string, content: string) => {
  const path = join(aFolder(), name)
  writeFileSync(path, content)
  return path
}

const aShop = (env: Environment, storefrontDir = aStorefront()) => startTestShop({ env, storefrontDir })

const TERMS = `# Our terms\r\n\r\n{{legalName}} sells **fairly**.\r\n`

describe('the legal texts', () => {
  test('are the shipped ones while the operator names none', async () => {
    const { url } = await aShop({})
    for (const [path, words] of [
      [LEGAL_PATHS.terms, 'shipped terms'],
      [LEGAL_PATHS.privacy, 'shipped privacy'],
    ] as const)
      expect(await (await fetch(url + path)).text()).toContain(words)
  })

  test.skipIf(!hasPdfTools)('are the operator’s own where named, in the company’s name', async () => {
    const { url } = await aShop({
      LEGAL_TERMS_FILE: aFile('terms.md', `\uFEFF${TERMS}`),
      LEGAL_PRIVACY_FILE: aFile('privacy.pdf', '%PDF-1.7 our own'),
      BRAND_COMPANY: 'Quickset Limited',
    })
    const terms = await fetch(url + LEGAL_PATHS.terms)
    expect(terms.headers.get('content-type')).toBe('application/pdf')
    expect(terms.headers.get('cache-control')).toBe('no-cache')
    expect(terms.headers.get('content-security-policy')).toContain("default-src 'none'")
    const { text, isClean } = await readPdf(Buffer.from(await terms.arrayBuffer()))
    expect(isClean).toBe(true)
    expect(text).toContain('Our terms')
    expect(text).toContain('Quickset Limited sells fairly.')
    const privacy = await fetch(url + LEGAL_PATHS.privacy)
    expect(await privacy.text()).toBe('%PDF-1.7 our own')
  })

  test('of the operator’s are sent once to a browser that keeps them, and by no other method', async () => {
    const { url } = await aShop({ LEGAL_PRIVACY_FILE: aFile('privacy.pdf', '%PDF-1.7 our own') })
    const address = url + LEGAL_PATHS.privacy
    const etag = (await fetch(address)).headers.get('etag') ?? ''
    const again = await fetch(address, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await fetch(address, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '16'])
    expect((await fetch(address, { method: 'POST' })).status).toBe(405)
    expect(await (await fetch(url + LEGAL_PATHS.terms)).text()).toContain('shipped terms')
  })

  test.each([
    [
      'a list with numbers',
      '# Terms\n\n1. Be kind.',
      /^LEGAL_TERMS_FILE: This is not known here: 1\. Be kind/,
    ],
    ['a detail that nobody knows', '# Terms\n\nFax {{fax}}.', /^LEGAL_TERMS_FILE: .*\{\{fax\}\}/],
    ['a sign that no font has', '# Terms\n\nBe kind 🙂.', /^LEGAL_TERMS_FILE: .*🙂/u],
  ])('stop the start where they hold %s', async (_, text, message) => {
    await expect(aShop({ LEGAL_TERMS_FILE: aFile('terms.md', text) })).rejects.toThrow(message)
  })
})

const PRODUCTION = {
  NODE_ENV: 'production',
  STOP_NOTICE_SECONDS: '0',
  MAIL_FROM: 'Hedgerow <hello@shop.example>',
  OPERATOR_EMAIL: 'operator@shop.example',
  GATE_PROJECT_ID: '42',
  GATE_SECRET: '5b0c1f6b0f0f4d5c8a7e',
  BRAND_COMPANY: 'Quickset Limited',
  BRAND_COMPANY_NUMBER: '12345678',
  BRAND_REGISTERED_OFFICE: '7 Lane End, York, England',
  BRAND_VAT_NUMBER: 'GB123456789',
  BRAND_EMAIL: 'hello@shop.example',
  LEGAL_REVIEWED: SHIPPED_LEGAL_DATE,
}

test('production never shows pages that call the legal texts samples', async () => {
  const sample = () => aStorefront(`<p>${SAMPLE_LEGAL_TEXTS}</p>`)
  await expect(aShop(PRODUCTION, sample())).rejects.toThrow('built for development: run npm run build')
  expect((await fetch((await aShop(PRODUCTION)).url)).status).toBe(404)
  expect((await fetch((await aShop({}, sample())).url)).status).toBe(404)
})
