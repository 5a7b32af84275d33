/** The operator's legal texts: files of their own, or the day on which the shipped ones were reviewed. */
import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { SHIPPED_LEGAL_DATE, unfinishedIn } from '@hedgerow/domain/legal-texts'
import type { Environment } from '@hedgerow/settings/read-variables'
import * as v from '@hedgerow/settings/variables'
import * as z from 'zod/mini'

/** Kept in memory for as long as the shop runs, and sent on request. */
const MOST_BYTES = { '.md': 256 * 1024, '.pdf': 4 * 1024 * 1024 } as const

export type LegalText = Readonly<{
  /** The variable that names it, for the error. */
  variable: string
  kind: 'markdown' | 'pdf'
  content: Buffer
}>

type Extension = keyof typeof MOST_BYTES

const isKnown = (extension: string): extension is Extension => Object.hasOwn(MOST_BYTES, extension)

const sizeInKb = (bytes: number) => `${bytes / 1024} kB`

const reasonOf = (error: unknown): string => {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist'
  return code === 'EACCES' ? 'may not be read by the shop' : `cannot be read (${code ?? 'unknown'})`
}

/** The text in a file, or why it is none, as what follows the file's name. */
const readLegalText = (variable: string, path: string): LegalText | string => {
  const extension = extname(path).toLowerCase()
  if (!isKnown(extension)) return 'must end in .md or .pdf'
  try {
    const found = statSync(path)
    if (!found.isFile()) return 'is not a file'
    if (found.size > MOST_BYTES[extension]) return `is larger than ${sizeInKb(MOST_BYTES[extension])}`
    const content = readFileSync(path)
    if (extension === '.pdf')
      return content.subarray(0, 5).toString('latin1') === '%PDF-'
        ? { variable, kind: 'pdf', content }
        : 'is not a PDF'
    if (!isUtf8(content)) return 'is not text in UTF-8'
    const text = content.toString('utf8')
    if (!text.trim()) return 'is empty'
    const unfinished = unfinishedIn(text)
    if (unfinished) return `is not finished: it says “${unfinished}”`
    return { variable, kind: 'markdown', content }
  } catch (error) {
    return reasonOf(error)
  }
}

const legalFile = (variable: string) =>
  z.pipe(
    v.path,
    z.transform((path, context) => {
      const read = readLegalText(variable, path)
      if (typeof read !== 'string') return read
      context.issues.push({ code: 'custom', message: `: ${path} ${read}`, input: path })
      return z.NEVER
    }),
  )

/** The day is already there somewhere in the world. */
const MOST_AHEAD_MS = 14 * 3_600_000

const isDay = (value: string) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.slice(0, 10) === value

const isReached = (day: string) => Date.parse(day) <= Date.now() + MOST_AHEAD_MS

const reviewedOn = v.text.check(
  v.must(isDay, (value) => `must be a day such as ${SHIPPED_LEGAL_DATE}, not ${value}`),
  v.must(isReached, (value) => `must not be in the future: ${value}`),
  v.must(
    (value) => value >= SHIPPED_LEGAL_DATE,
    (value) =>
      `must be the day on which these texts were reviewed; they are dated ${SHIPPED_LEGAL_DATE}, so not ${value}`,
  ),
)

const TERMS = 'LEGAL_TERMS_FILE'
const PRIVACY = 'LEGAL_PRIVACY_FILE'
const REVIEWED = 'LEGAL_REVIEWED'

const REQUIRED = `is required in production, unless ${TERMS} and ${PRIVACY} name your own texts: set it to the day on which a lawyer reviewed the shipped texts`

/** In production each text is the operator's own, or a reviewed one. */
export const legalVariables = (env: Environment, isProduction: boolean) => {
  const isOwn = (name: string) => Boolean(env[name]?.trim())
  return {
    ownTerms: v.optional(TERMS, legalFile(TERMS)),
    ownPrivacy: v.optional(PRIVACY, legalFile(PRIVACY)),
    legalReviewedOn:
      isProduction && !(isOwn(TERMS) && isOwn(PRIVACY))
        ? v.required(REVIEWED, reviewedOn, REQUIRED)
        : v.optional(REVIEWED, reviewedOn),
  }
}
