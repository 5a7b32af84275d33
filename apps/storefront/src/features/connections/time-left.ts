import { DAY_MS } from '@hedgerow/domain/dates'

/** The ring is full at this many days or more: it runs down where it begins to matter. */
const FULL_RING_DAYS = 30

export type TimeLeft = { fraction: number; words: string }

export const timeLeft = (expiresAt: Date | null, now: Date): TimeLeft => {
  if (!expiresAt) return { fraction: 1, words: 'No end date' }
  const exact = (expiresAt.getTime() - now.getTime()) / DAY_MS
  const days = Math.round(exact)
  const fraction = Math.min(1, Math.max(0, exact / FULL_RING_DAYS))
  if (exact < 0) return { fraction: 0, words: 'No days left' }
  if (days < 1) return { fraction, words: 'Less than a day left' }
  return { fraction, words: days === 1 ? '1 day left' : `${days} days left` }
}
