import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fillIn } from '@hedgerow/documents/fill-in'
import { isoDay } from '@hedgerow/domain/dates'
import { SHIPPED_LEGAL_DATE } from '@hedgerow/domain/legal-texts'
import type { Db } from '#platform/database/client.ts'
import type { TermsTable } from '#platform/database/tables/orders.table.ts'
import type { Settings } from '#platform/settings.ts'

export type Terms = Pick<TermsTable, 'hash' | 'version' | 'kind' | 'content'>

type LegalSettings = Pick<Settings, 'brand' | 'ownTerms'>

const shipped = (name: string, brand: Settings['brand']): string =>
  fillIn(
    readFileSync(fileURLToPath(import.meta.resolve(`@hedgerow/documents/legal/${name}.md`)), 'utf8'),
    brand,
  )

export const cancellationForm = (brand: Settings['brand']): string => shipped('cancellation-form', brand)

const known = new WeakMap<Settings['brand'], Terms>()

/** The terms that a payment accepts now. The operator's own text has no version: it is called after the day of the start. */
export const termsInForce = ({ brand, ownTerms }: LegalSettings): Terms => {
  const read = known.get(brand)
  if (read) return read
  const content =
    ownTerms?.kind === 'pdf'
      ? ownTerms.content
      : Buffer.from(
          ownTerms ? fillIn(ownTerms.content.toString('utf8'), brand) : shipped('terms-of-service', brand),
        )
  const terms: Terms = {
    hash: createHash('sha256').update(content).digest(),
    version: ownTerms ? isoDay(new Date()) : SHIPPED_LEGAL_DATE,
    kind: ownTerms?.kind ?? 'markdown',
    content,
  }
  known.set(brand, terms)
  return terms
}

/** At the start, so that payments can name them. */
export const keepTerms = async (db: Db, terms: Terms): Promise<void> => {
  await db
    .insertInto('terms')
    .values(terms)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
}

/** By their hashes: they never change, and all receipts of a time have the same. */
const found = new Map<string, Terms>()
const MOST_FOUND = 8

/** Those that a payment accepted, by what it kept of them. */
export const findTerms = async (db: Db, hash: Buffer): Promise<Terms> => {
  const key = hash.toString('hex')
  const terms =
    found.get(key) ??
    (await db
      .selectFrom('terms')
      .select(['hash', 'version', 'kind', 'content'])
      .where('hash', '=', hash)
      .executeTakeFirstOrThrow())
  if (found.size >= MOST_FOUND) found.clear()
  found.set(key, terms)
  return terms
}
