import { readFile } from 'node:fs/promises'
import type { Brand } from '@hedgerow/brand/brand'
import { legalPdf } from '@hedgerow/documents/legal-pdf'
import { builtAt } from '#prerender/built-at.ts'
import { writeInto } from '#prerender/write-into.ts'

const TEXTS = {
  'legal/terms_of_service.pdf': '@hedgerow/documents/legal/terms-of-service.md',
  'legal/cancellation_form.pdf': '@hedgerow/documents/legal/cancellation-form.md',
  'legal/privacy_policy.pdf': '@hedgerow/documents/legal/privacy-policy.md',
} as const

/** Makes the legal texts, in the name of the company that runs the shop, at the addresses that the pages link to. */
export const writeLegalTexts = async (directory: URL, brand: Brand): Promise<void> => {
  for (const [path, source] of Object.entries(TEXTS)) {
    const text = await readFile(new URL(import.meta.resolve(source)), 'utf8')
    await writeInto(directory, path, await legalPdf(text, brand, builtAt))
  }
}
