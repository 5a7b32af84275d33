import type { Profile } from '@hedgerow/contract/accounts'
import {
  checkField,
  FIELD_NAMES,
  type FieldName,
  type FieldValues,
  fieldsOf,
} from '#features/profile/profile-fields.ts'

type Fields = Partial<FieldValues>

/** What is to be saved is the difference between the form and `base`, so an initial or unchanged value is never sent. */
export type AutosaveState = {
  /** The profile as the server last sent it. */
  base: Profile
  values: FieldValues
  errors: Fields
  status: 'idle' | 'waiting' | 'saving' | 'saved' | 'failed'
  /** Why the last save failed. */
  problem?: string | undefined
  /** Values that the server refused: not sent again until they are changed. */
  refused: Partial<Record<FieldName, { typed: string; message: string }>>
  isTimerRunning: boolean
  /** Saves that are not answered yet, and what the last of them carried. */
  inFlight: number
  lastSent: Fields
  isDueAfterFlight: boolean
}

export type AutosaveEvent =
  | { type: 'opened' }
  | { type: 'typed'; name: FieldName; value: string }
  | { type: 'timer-ended' }
  | { type: 'save-requested' }
  | { type: 'page-left' }
  | { type: 'profile-loaded'; profile: Profile }
  | { type: 'saved'; sent: Fields; profile: Profile }
  | {
      type: 'save-failed'
      sent: Fields
      message: string
      refused: readonly { path: string; message: string }[]
    }
  /** The profile was changed elsewhere: `profile` is as it is now. */
  | { type: 'conflict'; profile: Profile; rebases: number }
  | { type: 'save-abandoned' }

/** A save, and how often it has been applied to a newer profile. Without a version it overwrites whatever is there. */
export type Save = { type: 'save'; fields: Fields; version: number | undefined; rebases: number }

export type AutosaveEffect =
  | { type: 'start-timer' | 'stop-timer' | 'keep-draft' }
  | { type: 'show-saved'; profile: Profile }
  | Save

type Transition = [state: AutosaveState, effects: AutosaveEffect[]]

const START_TIMER: AutosaveEffect = { type: 'start-timer' }
const STOP_TIMER: AutosaveEffect = { type: 'stop-timer' }
const KEEP_DRAFT: AutosaveEffect = { type: 'keep-draft' }

const isEmpty = (fields: Fields) => Object.keys(fields).length === 0

const check = ({ values, refused }: AutosaveState, name: FieldName) => {
  const before = refused[name]
  return before?.typed === values[name] ? { error: before.message } : checkField(name, values[name])
}

const isChanged = (state: AutosaveState, name: FieldName) =>
  (check(state, name).value ?? state.values[name]) !== state.base[name]

/** As typed, also what would be refused. */
export const typedChanges = (state: AutosaveState): Fields =>
  Object.fromEntries(
    FIELD_NAMES.filter((name) => isChanged(state, name)).map((name) => [name, state.values[name]]),
  )

const sendable = (state: AutosaveState): Fields =>
  Object.fromEntries(
    FIELD_NAMES.flatMap((name) => {
      const { value } = check(state, name)
      return value === undefined || value === state.base[name] ? [] : [[name, value]]
    }),
  )

const errorsOf = (state: AutosaveState): Fields =>
  Object.fromEntries(
    FIELD_NAMES.flatMap((name) => {
      const { error } = check(state, name)
      return error === undefined || !isChanged(state, name) ? [] : [[name, error]]
    }),
  )

/** The form as it opens: the profile, and what a draft brings back. */
export const openedState = (profile: Profile, draft: Fields): AutosaveState => {
  const state: AutosaveState = {
    base: profile,
    values: { ...fieldsOf(profile), ...draft },
    errors: {},
    status: 'idle',
    refused: {},
    isTimerRunning: false,
    inFlight: 0,
    lastSent: {},
    isDueAfterFlight: false,
  }
  return { ...state, errors: errorsOf(state) }
}

/** The server's profile is another: fields that the customer has changed keep what was typed. */
const rebase = (state: AutosaveState, fresh: Profile): AutosaveState =>
  fresh.version <= state.base.version
    ? state
    : { ...state, base: fresh, values: { ...fieldsOf(fresh), ...typedChanges(state) } }

/** What was typed stays as it stands in the field, spaces and all, while it means what was saved. */
const acceptSaved = (state: AutosaveState, sent: Fields, saved: Profile): AutosaveState => {
  if (saved.version <= state.base.version) return state
  const changes = typedChanges(state)
  const untouched = FIELD_NAMES.filter((name) => !(Object.hasOwn(changes, name) || Object.hasOwn(sent, name)))
  const fromServer = Object.fromEntries(untouched.map((name) => [name, saved[name]]))
  return { ...state, base: saved, values: { ...state.values, ...fromServer } }
}

/** `isUrgent`: the page may be gone in a moment, so what is in flight is not waited for. */
const send = (state: AutosaveState, isUrgent = false): Transition => {
  const stopped = { ...state, isTimerRunning: false }
  const fields = sendable(state)
  const isOnItsWay = state.inFlight > 0 && JSON.stringify(fields) === JSON.stringify(state.lastSent)
  if (isEmpty(fields) || isOnItsWay) return [stopped, [STOP_TIMER]]
  // A save that overtakes another cannot know the version which that one makes.
  const version = isUrgent && state.inFlight > 0 ? undefined : state.base.version
  return [
    { ...stopped, lastSent: fields, inFlight: state.inFlight + 1, status: 'saving', problem: undefined },
    [STOP_TIMER, { type: 'save', fields, version, rebases: 0 }],
  ]
}

/** A save has ended, in one way or another. */
const afterCall = (state: AutosaveState): Transition => {
  const inFlight = state.inFlight - 1
  const answered = { ...state, inFlight, errors: errorsOf(state) }
  if (inFlight > 0) return [answered, [KEEP_DRAFT]]
  if (state.isDueAfterFlight) {
    const [next, effects] = send({ ...answered, isDueAfterFlight: false })
    return [next, [KEEP_DRAFT, ...effects]]
  }
  if (state.status !== 'saving') return [answered, [KEEP_DRAFT]]
  return [{ ...answered, status: state.isTimerRunning ? 'waiting' : 'saved' }, [KEEP_DRAFT]]
}

const type = (state: AutosaveState, name: FieldName, value: string): Transition => {
  if (value === state.values[name]) return [state, []]
  const typed = { ...state, values: { ...state.values, [name]: value } }
  const hasChanges = !isEmpty(sendable(typed))
  // While a save is in flight the server may already have what was just taken back.
  const isTimerRunning = hasChanges || state.inFlight > 0
  const status = state.inFlight > 0 ? 'saving' : hasChanges ? 'waiting' : 'idle'
  return [
    { ...typed, errors: errorsOf(typed), status, problem: undefined, isTimerRunning },
    [isTimerRunning ? START_TIMER : STOP_TIMER, KEEP_DRAFT],
  ]
}

type Failure = Extract<AutosaveEvent, { type: 'save-failed' }>

const fail = (state: AutosaveState, { sent, message, refused }: Failure): AutosaveState => {
  const ours = refused.filter(({ path }) => Object.hasOwn(sent, path)) as {
    path: FieldName
    message: string
  }[]
  if (ours.length === 0) return { ...state, status: 'failed', problem: message }
  const marks = ours
    .filter(({ path }) => check(state, path).value === sent[path])
    .map((one) => [one.path, { typed: state.values[one.path], message: one.message }])
  // The others can be saved all the same.
  return {
    ...state,
    refused: { ...state.refused, ...Object.fromEntries(marks) },
    isDueAfterFlight: true,
    status: 'idle',
  }
}

const solveConflict = (state: AutosaveState, fresh: Profile, rebases: number): Transition => {
  const rebased = rebase(state, fresh)
  const fields = sendable(rebased)
  if (!isEmpty(fields)) {
    return [rebased, [{ type: 'save', fields, version: rebased.base.version, rebases: rebases + 1 }]]
  }
  const [next, effects] = afterCall(rebased)
  return [next, [{ type: 'show-saved', profile: rebased.base }, ...effects]]
}

/** What an event makes of the form, and what is to be done about it. */
export const reduceAutosave = (state: AutosaveState, event: AutosaveEvent): Transition => {
  switch (event.type) {
    case 'opened':
      // What a draft brought back is saved as if it had just been typed.
      return isEmpty(sendable(state))
        ? [state, []]
        : [{ ...state, status: 'waiting', isTimerRunning: true }, [START_TIMER]]
    case 'typed':
      return type(state, event.name, event.value)
    case 'timer-ended':
      return state.inFlight > 0
        ? [{ ...state, isTimerRunning: false, isDueAfterFlight: true }, []]
        : send(state)
    case 'save-requested':
      return state.inFlight > 0 ? [state, []] : send(state)
    case 'page-left':
      return send(state, true)
    case 'profile-loaded':
      return [state.inFlight > 0 ? state : rebase(state, event.profile), []]
    case 'saved': {
      const [next, effects] = afterCall(acceptSaved(state, event.sent, event.profile))
      return [next, [{ type: 'show-saved', profile: event.profile }, ...effects]]
    }
    case 'save-failed':
      return afterCall(fail(state, event))
    case 'conflict':
      return solveConflict(state, event.profile, event.rebases)
    case 'save-abandoned':
      return afterCall(state)
  }
}
