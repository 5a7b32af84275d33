/** What a call of a gateway was answered. `isSilent`: nothing came back, or a fault of theirs. */
export type Answer =
  | { kind: 'answered'; body: unknown }
  | { kind: 'refused'; code: string; message: string; http: number }
  | { kind: 'unknown'; reason: string; isSilent: boolean }

const LONGEST_WORD = 100

/** A word of a gateway's, for logs and records; undefined for what is none. */
export const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, LONGEST_WORD) : undefined

/** Reads an answer of 200 or one that refuses; `refusal` says what a body that is no success means. */
export const readAnswer = (status: number, text: string, refusal: (body: unknown) => Answer): Answer => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { kind: 'unknown', reason: 'not JSON', isSilent: true }
  }
  return status === 200 ? { kind: 'answered', body } : refusal(body)
}
