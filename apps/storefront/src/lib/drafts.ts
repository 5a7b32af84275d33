const PREFIX = 'draft:'

/** The storage is asked for at each use: a browser that forbids it throws. */
const draftsIn = (storage: () => Storage) => ({
  read: (key: string): unknown => {
    try {
      return JSON.parse(storage().getItem(PREFIX + key) ?? 'null')
    } catch {
      return null
    }
  },
  /** Undefined: nothing is left to keep. */
  write: (key: string, draft: unknown) => {
    try {
      if (draft === undefined) storage().removeItem(PREFIX + key)
      else storage().setItem(PREFIX + key, JSON.stringify(draft))
    } catch {
      // The browser's storage is full or forbidden: the page itself still holds what was typed.
    }
  },
})

/** What was typed and is not saved yet, kept by the browser over a closed tab; per account, until the log-out. */
export const { read: readDraft, write: writeDraft } = draftsIn(() => localStorage)

/** What someone typed who has no account here, kept over a reload: the next one at this browser must not find it. */
export const { read: readTabDraft, write: writeTabDraft } = draftsIn(() => sessionStorage)

export const forgetDrafts = () => {
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key)
  } catch {
    // Where nothing can be stored, nothing is.
  }
}

type Save = () => Promise<unknown>
const saves = new Set<Save>()

/** Registers what is still to be sent before the session may end. */
export const beforeLogOut = (save: Save) => {
  saves.add(save)
  return () => void saves.delete(save)
}

const PATIENCE_MS = 3000

/** Waits for it, but not for ever: the customer wants to leave. */
export const saveDrafts = (): Promise<unknown> =>
  saves.size === 0
    ? Promise.resolve()
    : Promise.race([
        Promise.allSettled([...saves].map((save) => save())),
        new Promise((over) => setTimeout(over, PATIENCE_MS)),
      ])
