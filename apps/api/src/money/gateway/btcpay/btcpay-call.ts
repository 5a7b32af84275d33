import { send, whyNot } from '@hedgerow/io/post-json'
import { type Answer, readAnswer, wordOf } from '#money/gateway/answer.ts'
import type { OnSilence } from '#money/gateway/gateway.ts'
import type { Settings } from '#platform/settings.ts'

export type Btcpay = NonNullable<Settings['btcpay']>

const TIMEOUT_MS = 10_000
export type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Answer>

/** A refusal is {code, message}, or a list of what is wrong where. */
const read = (status: number, text: string): Answer =>
  status >= 500 || status === 429
    ? { kind: 'unknown', reason: String(status), isSilent: true }
    : readAnswer(status, text, (body) => {
        const fault = (Array.isArray(body) ? body[0] : body) as Record<string, unknown> | null | undefined
        const code = wordOf(fault?.code) ?? wordOf(fault?.path) ?? String(status)
        return { kind: 'refused', code, message: wordOf(fault?.message) ?? '', http: status }
      })

/** What is open to whoever knows its id has no store in its address. */
const WITHOUT_STORE = '~/'

/** Calls of the store's API. Never throws. */
export const createBtcpayCall =
  ({ url, store, key }: Btcpay, onSilence: OnSilence): Call =>
  async (method, path, body) => {
    const place = path.startsWith(WITHOUT_STORE) ? path : `~/stores/${encodeURIComponent(store)}/${path}`
    try {
      const { status, text } = await send(place.replace('~', `${url}/api/v1`), {
        method,
        headers: {
          authorization: `token ${key}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return read(status, text || 'null')
    } catch (error) {
      onSilence(path.split('?', 1)[0] ?? '', error)
      return { kind: 'unknown', reason: whyNot(error), isSilent: true }
    }
  }
