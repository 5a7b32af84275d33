import { readFile } from 'node:fs/promises'
import type { Brand } from '@hedgerow/brand/brand'
import { legalPdf } from '@hedgerow/documents/legal-pdf'
import { builtAt } from '#prerender/built-at.ts'
import { writeInto } from '#prerender/write-into.ts'

const TEXTS: Readonly<Record<string, string>> = {
  'legal/terms_of_service.pdf': '@hedgerow/documents/legal/terms-of-service.md',
  'legal/cancellation_form.pdf': '@hedgerow/documents/legal/cancellation-form.md',
  'legal/privacy_policy.pdf': '@hedgerow/documents/legal/privacy-policy.md',
}

/** The legal text at an address that the pages link to, in the name of the company that runs the shop. */
export const legalText = async (path: string, brand: Brand): Promise<Buffer | undefined> => {
  const source = TEXTS[path]
  if (!source) return undefined
  return legalPdf(await readFile(new URL(import.meta.resolve(source)), 'utf8'), brand, builtAt)
}

export const writeLegalTexts = async (directory: URL, brand: Brand): Promise<void> => {
  for (const path of Object.keys(TEXTS)) {
    const text = await legalText(path, brand)
    if (text) await writeInto(directory, path, text)
  }
}
