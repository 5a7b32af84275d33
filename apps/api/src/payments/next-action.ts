import { createHash } from 'node:crypto'

/** One thing that the gateway asks to be told. `name` is its path, such as 'avs_data.avs_post_code'. */
export type ClarificationField = {
  name: string
  label: string
  type: 'text' | 'consent'
  /** What is consented to, in the words of the bank's rules. */
  text?: string
  isRequired: boolean
  /** What was wrong with the last answer. */
  error?: string
  /** What a consent says to the gateway, by the paths of its fields. */
  says?: Record<string, string | boolean>
}

/** What the customer has to do next. */
export type NextAction =
  /** To answer the issuer's question on its page (the basic 3-D Secure flow). */
  | { kind: 'challenge'; acsUrl: string; paReq: string; md: string }
  /** The same in the extended flow. */
  | { kind: 'challenge-2'; url: string; creq: string; sessionData: string }
  /** To let the issuer's server look at the browser, in a frame nobody sees (3-D Secure 2, extended flow). */
  | { kind: 'method'; url: string; fields: Record<string, string> }
  /** To go to a page of a bank or a payment system. */
  | { kind: 'redirect'; url: string; method: 'GET' | 'POST'; body: Record<string, string> }
  | { kind: 'clarification'; fields: ClarificationField[] }
  /** To do something in the payment system, with what it gives to be shown. */
  | { kind: 'action'; display: { type: string; title: string; data: string }[] }
  /** To agree that a code is sent, then to enter it. */
  | { kind: 'authorisation'; stage: 'start' | 'finish' }

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

/** What is remembered of a question that was answered, so that a late repeat of it is nothing new. */
export const answerKey = (nextAction: NextAction): string =>
  createHash('sha256').update(textOf(nextAction)).digest('base64url')

/** The issuer asks under a number of its own each time; other questions can be asked again in the same words. */
const ISSUERS: ReadonlySet<NextAction['kind']> = new Set(['challenge', 'challenge-2', 'method'])

export const isAskedOnce = ({ kind }: NextAction): boolean => ISSUERS.has(kind)

const authorisation = (stage: 'start' | 'finish') => answerKey({ kind: 'authorisation', stage })

/** The customer has agreed to be sent a code; then has entered it. */
export const AUTHORISATION_STARTED = authorisation('start')
export const AUTHORISATION_FINISHED = authorisation('finish')
