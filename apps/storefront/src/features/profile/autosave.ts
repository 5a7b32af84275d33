import type { Profile } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import type { SaveProfileRequest } from '@hedgerow/contract/profile'
import { AUTOSAVE_AFTER_MS } from '@hedgerow/domain/timings'
import { draftOf, keepDraft } from '#features/profile/profile-draft.ts'
import {
  checkField,
  FIELD_NAMES,
  type FieldName,
  type FieldValues,
  fieldsOf,
} from '#features/profile/profile-fields.ts'
import { messageOf } from '#lib/message-of.ts'

export type AutosaveState = {
  values: FieldValues
  errors: Partial<Record<FieldName, string>>
  status: 'idle' | 'waiting' | 'saving' | 'saved' | 'failed'
  /** Why the last save failed. */
  problem?: string
}

type Options = {
  profile: Profile
  save: (body: SaveProfileRequest) => Promise<Profile>
  load: () => Promise<Profile>
  onSaved: (profile: Profile) => void
  /** The session that loaded the profile has ended; there may be another one, of somebody else. */
  isOver: () => boolean
}

/** A profile that is changed elsewhere all the time: then the customer decides when to try again. */
const MOST_REBASES = 3

/**
 * Saves what is typed two seconds after the last change (spec §4). What is to be saved is always the difference between
 * the form and the profile as the server last told it, so an initial or unchanged value is never sent.
 */
export const createAutosave = ({ profile, save, load, onSaved, isOver }: Options) => {
  let base = profile
  let state: AutosaveState = { values: fieldsOf(profile), errors: {}, status: 'idle' }
  /** Values that the server refused: not sent again until they are changed. */
  const refused = new Map<FieldName, { typed: string; message: string }>()
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let inFlight = 0
  let sentLast: Partial<FieldValues> = {}
  let isDueAfterFlight = false

  const set = (change: Partial<AutosaveState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  const check = (name: FieldName) => {
    const typed = state.values[name]
    const before = refused.get(name)
    return before?.typed === typed ? { error: before.message } : checkField(name, typed)
  }

  const isChanged = (name: FieldName) => {
    const { value } = check(name)
    return (value ?? state.values[name]) !== base[name]
  }

  /** As typed, also what would be refused. */
  const typedChanges = (): Partial<FieldValues> =>
    Object.fromEntries(FIELD_NAMES.filter(isChanged).map((name) => [name, state.values[name]]))

  const sendable = (): Partial<FieldValues> =>
    Object.fromEntries(
      FIELD_NAMES.flatMap((name) => {
        const { value } = check(name)
        return value === undefined || value === base[name] ? [] : [[name, value]]
      }),
    )

  const errors = () =>
    Object.fromEntries(
      FIELD_NAMES.flatMap((name) => {
        const { error } = check(name)
        return error === undefined || !isChanged(name) ? [] : [[name, error]]
      }),
    )

  /** Not once the session is over: a log-out has emptied the browser, and what ends later brings nothing back. */
  const keep = () => {
    if (!isOver()) keepDraft(profile._id, fieldsOf(base), typedChanges())
  }

  /** The server's profile is another: fields that the customer has changed keep what was typed. */
  const rebase = (fresh: Profile) => {
    if (fresh.version <= base.version) return
    const typed = typedChanges()
    base = fresh
    set({ values: { ...fieldsOf(fresh), ...typed } })
  }

  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      if (inFlight > 0) isDueAfterFlight = true
      else void send()
    }, AUTOSAVE_AFTER_MS)
  }

  const settled = () => {
    keep()
    set({ errors: errors() })
    if (isDueAfterFlight && inFlight === 0) {
      isDueAfterFlight = false
      void send()
    } else if (inFlight === 0 && state.status === 'saving') {
      set({ status: timer ? 'waiting' : 'saved' })
    }
  }

  /** Notes which fields the server did not take; false when it named none. */
  const noteRefused = (error: unknown, sent: Partial<FieldValues>): boolean => {
    const named = (error instanceof ApiError && error.problem.errors) || []
    const ours = named.filter(({ path }) => path in sent)
    for (const { path, message } of ours) {
      const name = path as FieldName
      if (check(name).value === sent[name]) refused.set(name, { typed: state.values[name], message })
    }
    return ours.length > 0
  }

  const fail = (error: unknown, sent: Partial<FieldValues>) => {
    if (noteRefused(error, sent)) {
      // The others can be saved all the same.
      isDueAfterFlight = true
      set({ status: 'idle' })
    } else {
      set({ status: 'failed', problem: messageOf(error) })
    }
  }

  const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409

  const attempt = async (body: Partial<FieldValues>, version: number | undefined, rebases: number) => {
    try {
      const saved = await save(version === undefined ? body : { ...body, version })
      // What was typed stays as it stands in the field, spaces and all, while it means what was saved.
      const typed = state.values
      if (saved.version > base.version) {
        const changes = typedChanges()
        base = saved
        const untouched = FIELD_NAMES.filter((name) => !(name in changes || name in body))
        const told = Object.fromEntries(untouched.map((name) => [name, saved[name]]))
        set({ values: { ...typed, ...told } })
      }
      onSaved(saved)
    } catch (error) {
      if (!isConflict(error) || rebases >= MOST_REBASES) return fail(error, body)
      try {
        const fresh = await load()
        if (isOver()) return
        rebase(fresh)
      } catch (loadError) {
        return fail(loadError, body)
      }
      const rest = sendable()
      if (Object.keys(rest).length > 0) await attempt(rest, base.version, rebases + 1)
      else onSaved(base)
    }
  }

  /** `isUrgent`: the page may be gone in a moment, so what is in flight is not waited for. */
  const send = async (isUrgent = false) => {
    clearTimeout(timer)
    timer = undefined
    // What one customer typed is never sent in the name of another.
    if (isOver()) return
    const body = sendable()
    if (Object.keys(body).length === 0) return
    if (inFlight > 0 && JSON.stringify(body) === JSON.stringify(sentLast)) return
    // A save that overtakes another cannot know the version which that one makes.
    const version = isUrgent && inFlight > 0 ? undefined : base.version
    sentLast = body
    inFlight++
    set({ status: 'saving', problem: undefined })
    await attempt(body, version, 0).finally(() => {
      inFlight--
      settled()
    })
  }

  const change = (name: FieldName, typed: string) => {
    if (typed === state.values[name]) return
    set({ values: { ...state.values, [name]: typed } })
    const found = errors()
    const hasChanges = Object.keys(sendable()).length > 0
    // While a save is in flight the server may already have what was just taken back.
    const isToSend = hasChanges || inFlight > 0
    if (isToSend) schedule()
    else clearTimeout(timer)
    if (!isToSend) timer = undefined
    const status = inFlight > 0 ? 'saving' : hasChanges ? 'waiting' : 'idle'
    set({ errors: found, status, problem: undefined })
    keep()
  }

  state = { ...state, values: { ...state.values, ...draftOf(profile._id, fieldsOf(profile)) } }
  state = { ...state, errors: errors() }
  keep()

  return {
    getState: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Saves what a draft brought back, as if it had just been typed. */
    start: () => {
      if (Object.keys(sendable()).length === 0) return
      schedule()
      set({ status: 'waiting' })
    },
    change,
    /** The profile was loaded anew. */
    refresh: (fresh: Profile) => {
      if (inFlight === 0) rebase(fresh)
    },
    /** Now, and not in two seconds. */
    saveNow: () => (inFlight > 0 ? Promise.resolve() : send()),
    /** The page is being left. */
    leave: () => send(true),
  }
}

export type Autosave = ReturnType<typeof createAutosave>
