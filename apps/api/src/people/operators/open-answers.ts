import type { ServerResponse } from 'node:http'

/** Answers to operators that last, streams and files: each is cut when what opened it ends. */
export type OpenAnswers = {
  add: (answer: ServerResponse, ids: readonly string[], endsAt: Date) => void
  /** A session, a token or an operator's right has ended: the id of the session, the token or the operator. */
  forget: (id: string) => void
  /** What ended while notifications could not arrive is unknown, so all are cut. */
  setListening: (isListening: boolean) => void
}

/** The longest that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1

export const createOpenAnswers = (): OpenAnswers => {
  const open = new Map<ServerResponse, readonly string[]>()
  return {
    add: (answer, ids, endsAt) => {
      open.set(answer, ids)
      const end = setTimeout(
        () => answer.destroy(),
        Math.min(endsAt.getTime() - Date.now(), LONGEST_MS),
      ).unref()
      answer.once('close', () => {
        clearTimeout(end)
        open.delete(answer)
      })
    },
    forget: (id) => {
      for (const [answer, ids] of open) if (ids.includes(id)) answer.destroy()
    },
    setListening: () => {
      for (const answer of open.keys()) answer.destroy()
    },
  }
}
