import type { Gateway } from '#gateway/gateway.ts'

/** One call of the Data API: what it answers to a question that is signed. Throws DataRefusal. */
export type DataCall = {
  /** Without a slash at its beginning: 'balance/get'. */
  path: string
  handle: (question: Record<string, unknown>, gateway: Gateway) => object
}

/** The error that the caller gets, with HTTP 400. */
export class DataRefusal extends Error {}
