import { send, whyNot } from '@hedgerow/io/post-json'
import { type Answer, readAnswer, wordOf } from '#money/gateway/answer.ts'
import type { OnSilence } from '#money/gateway/gateway.ts'

/** What the shop speaks, whichever version the account has set. */
const STRIPE_VERSION = '2026-10-28.endive'

const TIMEOUT_MS = 10_000
/** A page of a list, with other objects unfolded in it. */
const MOST_BYTES = 4 * 1024 * 1024
/** Their client asks again twice where nothing came back: the key makes a repeat safe. */
const TRIES = 3

type Field = string | number | boolean | undefined | readonly Field[] | { readonly [name: string]: Field }

/** A body as Stripe reads it: depth in brackets, `line_items[0][quantity]=1`. */
const formOf = (fields: { readonly [name: string]: Field }): string => {
  const form = new URLSearchParams()
  const add = (name: string, value: Field): void => {
    if (typeof value === 'object')
      for (const [key, one] of Object.entries(value)) add(`${name}[${key}]`, one as Field)
    else if (value !== undefined) form.append(name, String(value))
  }
  for (const [name, value] of Object.entries(fields)) add(name, value)
  return form.toString()
}

export type StripeCall = {
  get: (path: string, query?: { readonly [name: string]: Field }) => Promise<Answer>
  /** `key` names what is asked for: with the same key it is done once. */
  post: (path: string, fields: { readonly [name: string]: Field }, key?: string) => Promise<Answer>
}

export type StripeKeys = { url: string; key: string }

type Fault = { error?: { type?: unknown; code?: unknown; decline_code?: unknown; message?: unknown } }

const read = (status: number, text: string): Answer =>
  status >= 500 || status === 409 || status === 429
    ? { kind: 'unknown', reason: String(status), isSilent: status >= 500 }
    : readAnswer(status, text, (body) => {
        const { error } = (body ?? {}) as Fault
        const code = wordOf(error?.code) ?? wordOf(error?.type) ?? String(status)
        // The same key with other words: what was asked first stands, and only its status tells.
        if (error?.type === 'idempotency_error') return { kind: 'unknown', reason: code, isSilent: false }
        return { kind: 'refused', code, message: wordOf(error?.message) ?? '', http: status }
      })

/** A test key leads to the test mode of the same address. */
export const isLiveKey = (key: string): boolean => !key.includes('_test_')

/** Calls of Stripe's API. Never throws. */
export const createStripeCall = ({ url, key }: StripeKeys, onSilence: OnSilence): StripeCall => {
  const ask = async (method: 'GET' | 'POST', path: string, body?: string, idempotencyKey?: string) => {
    try {
      const { status, text } = await send(`${url}/v1/${path}`, {
        method,
        ...(body === undefined ? {} : { body }),
        headers: {
          authorization: `Bearer ${key}`,
          'stripe-version': STRIPE_VERSION,
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        mostBytes: MOST_BYTES,
      })
      return read(status, text)
    } catch (error) {
      onSilence(path, error)
      return { kind: 'unknown', reason: whyNot(error), isSilent: true } as const
    }
  }
  return {
    get: (path, query) => ask('GET', query ? `${path}?${formOf(query)}` : path),
    post: async (path, fields, idempotencyKey) => {
      let answer: Answer = { kind: 'unknown', reason: 'not asked', isSilent: true }
      for (let turn = 0; turn < (idempotencyKey ? TRIES : 1); turn++) {
        answer = await ask('POST', path, formOf(fields), idempotencyKey)
        if (answer.kind !== 'unknown') return answer
      }
      return answer
    },
  }
}
