/** The channel on which the database tells every process what has changed. */
export const CHANGED = 'changed'

/** What a notification names: a kind of record, and which one. */
export type Kind = 'payment' | 'session' | 'operator' | 'node' | 'settings' | 'plans'

/** A memory of records that is kept right by the database's own notifications. */
export type NotifiedCache<T> = {
  get: (key: string) => Promise<T | undefined>
  /** The record has changed: what is remembered of it is forgotten. */
  forget: (key: string) => void
  /** While notifications cannot arrive, nothing is remembered. */
  setListening: (isListening: boolean) => void
}

const MOST = 20_000

/** Reads each record once per change, however many ask for it at once or after. Records that do not exist are not remembered. */
export const createNotifiedCache = <T>(read: (key: string) => Promise<T | undefined>): NotifiedCache<T> => {
  const known = new Map<string, T>()
  const reading = new Map<string, Promise<T | undefined>>()
  let isListening = false

  const start = (key: string): Promise<T | undefined> => {
    const started = read(key).then(
      (value) => {
        // A change that was notified while we read makes what we read old: it is answered, but not remembered.
        const isCurrent = reading.get(key) === started
        if (isCurrent) reading.delete(key)
        if (isCurrent && isListening && value !== undefined) known.set(key, value)
        if (known.size > MOST) known.delete(known.keys().next().value ?? '')
        return value
      },
      (error: unknown) => {
        if (reading.get(key) === started) reading.delete(key)
        throw error
      },
    )
    reading.set(key, started)
    return started
  }

  return {
    get: async (key) => known.get(key) ?? reading.get(key) ?? start(key),
    forget: (key) => {
      known.delete(key)
      reading.delete(key)
    },
    setListening: (value) => {
      isListening = value
      known.clear()
      reading.clear()
    },
  }
}
