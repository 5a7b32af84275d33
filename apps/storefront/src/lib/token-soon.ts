import { onTokenChange, readToken } from '#lib/access-token.ts'

/** Whether something is true of the token, or becomes so within this time by another tab. */
export const isSoon = (isSo: () => boolean, patienceMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    if (isSo() || patienceMs === 0) return resolve(isSo())
    const end = () => {
      clearTimeout(timer)
      stop()
      resolve(isSo())
    }
    const timer = setTimeout(end, patienceMs)
    const stop = onTokenChange(() => {
      if (isSo()) end()
    })
  })

/** Whether there is a token, or comes within this time from another tab. */
export const isLoggedInSoon = (patienceMs: number): Promise<boolean> =>
  isSoon(() => readToken() !== null, patienceMs)
