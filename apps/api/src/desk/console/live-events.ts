import { LIVE_KINDS, type LiveEvent, type LiveKind } from '@hedgerow/contract/console/live'

/** Tells open consoles what may have changed. */
export type LiveEvents = {
  tell: (event: LiveEvent) => void
  /** Returns how to hear no more. */
  listen: (hear: (event: LiveEvent) => void) => () => void
}

/** So long are events of one kind kept together: a burst of a thousand payments is a few messages, not a thousand. */
const TOGETHER_MS = 250
/** Of one kind at once: beyond that whoever listens reads everything of the kind again. */
const MOST_TOGETHER = 20

const LIVE = /^live (\w+):(.*)$/

const isKind = (kind: string): kind is LiveKind => LIVE_KINDS.some((one) => one === kind)

/** The event that a notice of the database means to operators, if any. */
export const eventOf = (notice: string): LiveEvent | undefined => {
  const [, kind, id] = LIVE.exec(notice) ?? []
  if (kind !== undefined && id !== undefined) return isKind(kind) ? { kind, id } : undefined
  return notice.startsWith('payment:') ? { kind: 'payment', id: notice.slice('payment:'.length) } : undefined
}

export const createLiveEvents = (): LiveEvents => {
  const listeners = new Set<(event: LiveEvent) => void>()
  const waiting = new Map<LiveKind, Set<string>>()
  let isPlanned = false

  const flush = () => {
    isPlanned = false
    for (const [kind, ids] of waiting) {
      const told = ids.size > MOST_TOGETHER ? ['*'] : ids
      for (const id of told) for (const hear of listeners) hear({ kind, id })
    }
    waiting.clear()
  }

  return {
    tell: ({ kind, id }) => {
      if (listeners.size === 0) return
      const ids = waiting.get(kind) ?? new Set()
      waiting.set(kind, ids.add(id))
      if (isPlanned) return
      isPlanned = true
      setTimeout(flush, TOGETHER_MS).unref()
    },
    listen: (hear) => {
      listeners.add(hear)
      return () => listeners.delete(hear)
    },
  }
}
