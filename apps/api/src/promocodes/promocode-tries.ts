import { Problem } from '#http/problems.ts'

const TRIES_AN_HOUR = 10
const HOUR_MS = 3_600_000

export type PromocodeTries = {
  /**
   * Looks a code up for an account. Finding none counts; of many at once no more are looked up than are left. Throws
   * 'too-many-requests', then for any code: the answer would tell a guess from a code.
   */
  counted: <T>(customerId: string, find: () => Promise<T | undefined>) => Promise<T | undefined>
}

/** Counts, for this process, the codes that accounts have guessed. Codes that are somebody's may be entered at will. */
export const createPromocodeTries = (scale: number): PromocodeTries => {
  const most = Math.ceil(TRIES_AN_HOUR * scale)
  /** When each account tried what came to nothing, or is being looked up; the account that tried last is at the end. */
  const tries = new Map<string, number[]>()

  const forgetOld = (since: number) => {
    for (const [customerId, times] of tries) {
      if ((times.at(-1) ?? 0) > since) return
      tries.delete(customerId)
    }
  }

  const giveBack = (customerId: string, time: number) => {
    const times = tries.get(customerId) ?? []
    const left = times.toSpliced(times.indexOf(time), 1)
    if (left.length > 0) tries.set(customerId, left)
    else tries.delete(customerId)
  }

  return {
    counted: async (customerId, find) => {
      if (scale === 0) return find()
      const now = performance.now()
      forgetOld(now - HOUR_MS)
      const times = (tries.get(customerId) ?? []).filter((time) => time > now - HOUR_MS)
      if (times.length >= most)
        throw new Problem('too-many-requests', {
          detail:
            'These were many unknown promocodes in a short time. Try again in an hour, or pay without one.',
          retryAfterSeconds: Math.ceil(((times[0] ?? now) + HOUR_MS - now) / 1000),
        })
      tries.delete(customerId)
      tries.set(customerId, [...times, now])
      let isGuess = false
      try {
        const found = await find()
        isGuess = found === undefined
        return found
      } finally {
        if (!isGuess) giveBack(customerId, now)
      }
    },
  }
}
