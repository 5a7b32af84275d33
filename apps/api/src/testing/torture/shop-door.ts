import type { Json } from '@hedgerow/testing/call'

export type Answer = { status: number; body: Json }

/** What a customer's browser gives an answer before it shows that there is none. */
const PATIENCE_MS = 15_000

type Options = { method?: string; token?: string | undefined; body?: unknown }

/** Hears of every answer, and of none. */
export const hearers = new Set<(url: string, answer: Answer | undefined, isRead: boolean) => void>()

const heard = (url: string, answer: Answer | undefined, isRead: boolean) => {
  for (const hear of hearers) hear(url, answer, isRead)
  return answer
}

/** One call as a browser makes it. Undefined: the answer was lost, and it is not known what came of it. */
export const ask = async (
  url: string,
  { method, token, body }: Options = {},
): Promise<Answer | undefined> => {
  const isForm = body instanceof URLSearchParams
  const isRead = (method ?? (body === undefined ? 'GET' : 'POST')) === 'GET'
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
    const isJson = text.startsWith('{') || text.startsWith('[')
    return heard(url, { status: response.status, body: isJson ? JSON.parse(text) : {} }, isRead)
  } catch {
    return heard(url, undefined, isRead)
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms))

/** Whether the answer says nothing: lost, or the shop could not. */
export const isNoAnswer = (answer: Answer | undefined): answer is undefined =>
  answer === undefined || answer.status >= 500
