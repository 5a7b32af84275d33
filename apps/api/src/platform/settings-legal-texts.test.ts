import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SHIPPED_LEGAL_DATE } from '@hedgerow/domain/legal-texts'
import { describe, expect, test } from 'vitest'
import { readSettings } from '#platform/settings.ts'
import { aFolder, faultsOf, KEY, PRODUCTION } from '#testing/production-settings.ts'

describe('the legal texts of production', () => {
  const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

  /** A file of the operator's. */
  const aFile = (name: string, content: string | Buffer): string => {
    const path = join(aFolder(), name)
    writeFileSync(path, content)
    return path
  }

  const PDF = Buffer.from('%PDF-1.7\n')
  const WITHOUT = { ...PRODUCTION, LEGAL_REVIEWED: undefined }

  test('are the shipped ones once they are reviewed', () => {
    const { legalReviewedOn, ownTerms, ownPrivacy } = readSettings(PRODUCTION)
    expect([legalReviewedOn, ownTerms, ownPrivacy]).toEqual([SHIPPED_LEGAL_DATE, undefined, undefined])
    expect(faultsOf(WITHOUT)).toEqual([
      expect.stringMatching(/^LEGAL_REVIEWED is required in production, unless LEGAL_TERMS_FILE and/),
    ])
  })

  test('are the operator’s own where both are named; for one alone the other has to be reviewed', () => {
    const LEGAL_TERMS_FILE = aFile('terms.md', '# Terms\n\nBe kind.\n')
    const LEGAL_PRIVACY_FILE = aFile('privacy.PDF', PDF)
    const { ownTerms, ownPrivacy } = readSettings({ ...WITHOUT, LEGAL_TERMS_FILE, LEGAL_PRIVACY_FILE })
    expect([ownTerms?.kind, ownPrivacy?.kind]).toEqual(['markdown', 'pdf'])
    for (const one of [{ LEGAL_TERMS_FILE }, { LEGAL_PRIVACY_FILE }]) {
      expect(faultsOf({ ...WITHOUT, ...one })).toEqual([expect.stringMatching(/^LEGAL_REVIEWED is required/)])
      expect(faultsOf({ ...PRODUCTION, ...one })).toEqual([])
    }
  })

  test.each([
    ['yes', /^LEGAL_REVIEWED must be a day such as \d{4}-\d\d-\d\d, not "yes"$/],
    ['on', /^LEGAL_REVIEWED must be a day/],
    ['22/11/2026', /^LEGAL_REVIEWED must be a day/],
    ['2026-11-31', /^LEGAL_REVIEWED must be a day/],
    ['2026-11-22T10:00:00Z', /^LEGAL_REVIEWED must be a day/],
    [dayFromNow(2), /^LEGAL_REVIEWED must not be in the future/],
    ['9999-12-31', /^LEGAL_REVIEWED must not be in the future/],
    ['2025-01-01', /^LEGAL_REVIEWED must be the day on which these texts were reviewed/],
  ])('are not reviewed by %s', (LEGAL_REVIEWED, line) => {
    expect(faultsOf({ ...PRODUCTION, LEGAL_REVIEWED })).toEqual([expect.stringMatching(line)])
    expect(faultsOf({ KEY_ENCRYPTION_KEY: KEY, LEGAL_REVIEWED })).toHaveLength(1)
  })

  test.each(['LEGAL_TERMS_FILE', 'LEGAL_PRIVACY_FILE'])('%s names a file that can be shown', (name) => {
    const refused = (path: string, reason: string) =>
      expect(faultsOf({ ...PRODUCTION, [name]: path })).toEqual([`${name}: ${path} ${reason}`])
    const folder = join(aFolder(), 'terms.md')
    mkdirSync(folder)
    refused(folder, 'is not a file')
    refused(join(folder, 'terms.md'), 'does not exist')
    refused(join(aFile('terms.md', 'x'), 'terms.md'), 'does not exist')
    refused('/dev/zero', 'must end in .md or .pdf')
    refused(aFile('terms.docx', 'x'), 'must end in .md or .pdf')
    refused(aFile('terms', '# Terms'), 'must end in .md or .pdf')
    refused(aFile('terms.md', ' \n '), 'is empty')
    refused(aFile('terms.md', Buffer.from([0x23, 0x20, 0xff])), 'is not text in UTF-8')
    refused(aFile('terms.md', 'a'.repeat(256 * 1024 + 1)), 'is larger than 256 kB')
    refused(aFile('terms.pdf', '# Terms'), 'is not a PDF')
    refused(aFile('terms.pdf', Buffer.concat([PDF, Buffer.alloc(4 * 1024 * 1024)])), 'is larger than 4096 kB')
    refused(
      aFile('terms.md', '# Terms\n\n> **This is a template.**'),
      'is not finished: it says “This is a template”',
    )
    refused(aFile('terms.md', 'We are [Company name].'), 'is not finished: it says “[Company name]”')
  })
})
