import type { Profile } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import type { SaveProfileRequest } from '@hedgerow/contract/profile'
import { AUTOSAVE_AFTER_MS } from '@hedgerow/domain/timings'
import { messageOf } from '@hedgerow/web/message-of.ts'
import {
  type AutosaveEffect,
  type AutosaveEvent,
  openedState,
  reduceAutosave,
  type Save,
  typedChanges,
} from '#features/profile/autosave-state.ts'
import { draftOf, keepDraft } from '#features/profile/profile-draft.ts'
import { type FieldName, fieldsOf } from '#features/profile/profile-fields.ts'

type Options = {
  profile: Profile
  save: (body: SaveProfileRequest) => Promise<Profile>
  load: () => Promise<Profile>
  onSaved: (profile: Profile) => void
  /** The session that loaded the profile has ended; there may be another one, of someone else. */
  isOver: () => boolean
}

/** A profile that is changed elsewhere all the time: then the customer decides when to try again. */
const MOST_REBASES = 3

const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409

const failure = (sent: Save['fields'], error: unknown): AutosaveEvent => ({
  type: 'save-failed',
  sent,
  message: messageOf(error),
  refused: (error instanceof ApiError && error.problem.errors) || [],
})

/** Saves once; where the profile was changed elsewhere, the answer is what it is now. */
const attempt = async (
  { save, load, isOver }: Options,
  { fields, version, rebases }: Save,
): Promise<AutosaveEvent> => {
  try {
    const saved = await save(version === undefined ? fields : { ...fields, version })
    return { type: 'saved', sent: fields, profile: saved }
  } catch (error) {
    if (!isConflict(error) || rebases >= MOST_REBASES) return failure(fields, error)
  }
  try {
    const fresh = await load()
    return isOver() ? { type: 'save-abandoned' } : { type: 'conflict', profile: fresh, rebases }
  } catch (error) {
    return failure(fields, error)
  }
}

/** Sends what is typed two seconds after the last change (spec §4). What is sent when is for the reducer to say. */
export const createAutosave = (options: Options) => {
  const { profile, onSaved, isOver } = options
  let state = openedState(profile, draftOf(profile._id, fieldsOf(profile)))
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  /** Not once the session is over: a log-out has emptied the browser, and what ends later brings nothing back. */
  const keep = () => {
    if (!isOver()) keepDraft(profile._id, fieldsOf(state.base), typedChanges(state))
  }

  const run = async (effect: AutosaveEffect): Promise<void> => {
    switch (effect.type) {
      case 'start-timer':
        clearTimeout(timer)
        timer = setTimeout(() => void sendBy({ type: 'timer-ended' }), AUTOSAVE_AFTER_MS)
        return
      case 'stop-timer':
        return clearTimeout(timer)
      case 'keep-draft':
        return keep()
      case 'show-saved':
        return onSaved(effect.profile)
      case 'save':
        // What one customer typed is never sent in the name of another.
        if (!isOver()) await dispatch(await attempt(options, effect))
    }
  }

  /** Ends when all that follows from the event has ended. */
  const dispatch = async (event: AutosaveEvent): Promise<void> => {
    const [next, effects] = reduceAutosave(state, event)
    if (next !== state) {
      state = next
      for (const listener of listeners) listener()
    }
    await Promise.all(effects.map(run))
  }

  const sendBy = async (event: AutosaveEvent): Promise<void> => {
    if (isOver()) clearTimeout(timer)
    else await dispatch(event)
  }
  keep()
  return {
    getState: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start: () => void dispatch({ type: 'opened' }),
    change: (name: FieldName, value: string) => void dispatch({ type: 'typed', name, value }),
    /** The profile was loaded anew. */
    refresh: (fresh: Profile) => void dispatch({ type: 'profile-loaded', profile: fresh }),
    /** Now, and not in two seconds. */
    saveNow: () => sendBy({ type: 'save-requested' }),
    /** The page is being left. */
    leave: () => sendBy({ type: 'page-left' }),
  }
}
