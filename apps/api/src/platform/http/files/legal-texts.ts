import { LEGAL_PATHS } from '@hedgerow/domain/legal-texts'
import type { FastifyInstance } from 'fastify'
import { etagOf, sendPage } from '#platform/http/files/built-files.ts'
import type { LegalText } from '#platform/settings/legal-texts.ts'
import type { Settings } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'

/** The operator's own documents, by their addresses. Where there is none, the storefront's build has the shipped one. */
export type LegalDocuments = ReadonlyMap<string, Buffer>

type LegalSettings = Pick<Settings, 'brand' | 'ownTerms' | 'ownPrivacy'>

const toPdf = async ({ variable, kind, content }: LegalText, brand: Settings['brand']): Promise<Buffer> => {
  if (kind === 'pdf') return content
  // Only here: it brings its fonts along.
  const { legalPdf } = await import('@hedgerow/documents/legal-pdf')
  try {
    return await legalPdf(content.toString('utf8'), brand)
  } catch (error) {
    throw new StartError(`${variable}: ${(error as Error).message}`)
  }
}

/** Makes them once, at the start, so that a text which cannot be shown stops it. */
export const makeLegalDocuments = async ({
  brand,
  ownTerms,
  ownPrivacy,
}: LegalSettings): Promise<LegalDocuments> => {
  const documents = new Map<string, Buffer>()
  if (ownTerms) documents.set(LEGAL_PATHS.terms, await toPdf(ownTerms, brand))
  if (ownPrivacy) documents.set(LEGAL_PATHS.privacy, await toPdf(ownPrivacy, brand))
  return documents
}

/** At the addresses of the shipped ones, before which they go. */
export const serveLegalDocuments = (pages: FastifyInstance, documents: LegalDocuments): void => {
  for (const [url, bytes] of documents) {
    const page = { bytes, etag: etagOf(bytes), headers: { 'content-type': 'application/pdf' } }
    pages.get(url, { schema: { hide: true } }, (request, reply) => sendPage(request, reply, page))
  }
}
