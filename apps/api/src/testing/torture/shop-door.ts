import type { Json } from '@hedgerow/testing/call'

export type Answer = { status: number; body: Json }

/** What a customer's browser gives an answer before it shows that there is none. */
const PATIENCE_MS = 15_000

type Options = { method?: string; token?: string | undefined; body?: unknown }

/** One call as a browser makes it. Undefined: the answer was lost, and nobody knows what came of it. */
export const ask = async (
  url: string,
  { method, token, body }: Options = {},
): Promise<Answer | undefined> => {
  const isForm = body instanceof URLSearchParams
  try {
    const response = await fetch(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        ...(body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {},
    }
  } catch {
    return undefined
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms))

/** Whether the answer says nothing: lost, or the shop could not. */
export const isNoAnswer = (answer: Answer | undefined): answer is undefined =>
  answer === undefined || answer.status >= 500
