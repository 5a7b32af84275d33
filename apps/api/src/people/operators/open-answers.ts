import type { ServerResponse } from 'node:http'

/** Answers to operators that last, streams and files: each is cut when what opened it ends. */
export type OpenAnswers = {
  /** `cut`: how it ends; a file is to look broken, not finished. */
  add: (answer: ServerResponse, ids: readonly string[], endsAt: Date, cut?: () => void) => void
  /** A session, a token or an operator's right has ended: the id of the session, the token or the operator. */
  forget: (id: string) => void
  /** What ended while notifications could not arrive is unknown, so all are cut. */
  setListening: (isListening: boolean) => void
}

/** The longest that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1

export const createOpenAnswers = (): OpenAnswers => {
  const open = new Map<ServerResponse, { ids: readonly string[]; cut: () => void }>()
  return {
    add: (answer, ids, endsAt, cut = () => answer.destroy()) => {
      open.set(answer, { ids, cut })
      const end = setTimeout(cut, Math.min(endsAt.getTime() - Date.now(), LONGEST_MS)).unref()
      answer.once('close', () => {
        clearTimeout(end)
        open.delete(answer)
      })
    },
    forget: (id) => {
      for (const { ids, cut } of open.values()) if (ids.includes(id)) cut()
    },
    setListening: () => {
      for (const { cut } of open.values()) cut()
    },
  }
}
