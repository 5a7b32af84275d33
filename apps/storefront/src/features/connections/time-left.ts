import { DAY_MS } from '@hedgerow/domain/dates'

export type TimeLeft = { fraction: number; words: string }

/** The ring is full at what was bought, or more. */
export const timeLeft = (expiresAt: Date | null, boughtDays: number, now: Date): TimeLeft => {
  if (!expiresAt) return { fraction: 1, words: 'No end date' }
  const exact = (expiresAt.getTime() - now.getTime()) / DAY_MS
  const days = Math.round(exact)
  const fraction = Math.min(1, Math.max(0, exact / boughtDays))
  if (exact < 0) return { fraction: 0, words: 'No days left' }
  if (days < 1) return { fraction, words: 'Less than a day left' }
  return { fraction, words: days === 1 ? '1 day left' : `${days} days left` }
}
