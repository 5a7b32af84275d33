import { signatureOf } from '@hedgerow/gate/signature'
import { postJson, whyNot } from '@hedgerow/io/post-json'
import { DataFault } from '#money/gateway/data-fault.ts'
import type { DataApi } from '#platform/settings.ts'

const TIMEOUT_MS = 30_000
/** A day of bookings is a few megabytes. */
const MOST_BYTES = 64 * 1024 * 1024

export type DataCall = (path: string, question: object) => Promise<unknown>

/**
 * Asks the gateway's Data API, which only reads: POST with a token and a signature, both in the body. Throws DataFault where
 * there is none, no answer, one that is not JSON, or a refusal.
 */
export const createDataCall =
  (api: DataApi): DataCall =>
  async (path, question) => {
    if (!api)
      throw new DataFault('The gateway’s Data API is not set: DATA_API_URL, DATA_API_TOKEN, DATA_API_SECRET.')
    // Through JSON once, so that what is signed is what is sent.
    const body = JSON.parse(JSON.stringify({ token: api.token, ...question }))
    body.signature = signatureOf(body, api.secret)
    const fault = (why: string) => new DataFault(`The gateway’s Data API did not answer (${path}: ${why}).`)
    try {
      const { status, text } = await postJson(`${api.url}/${path}`, JSON.stringify(body), {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        mostBytes: MOST_BYTES,
      })
      if (status < 200 || status > 299) throw fault(`HTTP ${status}`)
      return JSON.parse(text)
    } catch (error) {
      throw error instanceof DataFault ? error : fault(whyNot(error))
    }
  }
