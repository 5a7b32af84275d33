import { createHash } from 'node:crypto'
import type { NextAction } from '@hedgerow/domain/next-action'

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  )
}

/** The same text for the same next action, in whatever order the database keeps its fields. */
export const textOf = (nextAction: object): string => JSON.stringify(sorted(nextAction))

/** A mark of a question that was answered, so that a late repeat of it is ignored. */
export const answerKey = (nextAction: NextAction): string =>
  createHash('sha256').update(textOf(nextAction)).digest('base64url')

/** The issuer asks under a number of its own each time; other questions can be asked again in the same words. */
const ISSUERS: ReadonlySet<NextAction['kind']> = new Set(['challenge', 'challenge-2', 'method'])

export const isAskedOnce = ({ kind }: NextAction): boolean => ISSUERS.has(kind)

const authorisation = (stage: 'start' | 'finish') => answerKey({ kind: 'authorisation', stage })

/** The customer has agreed to be sent a code; then has entered it. */
export const AUTHORISATION_STARTED = authorisation('start')
export const AUTHORISATION_FINISHED = authorisation('finish')
