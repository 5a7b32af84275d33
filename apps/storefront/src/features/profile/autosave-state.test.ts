import { expect, test } from 'vitest'
import {
  type AutosaveEffect,
  type AutosaveEvent,
  type AutosaveState,
  openedState,
  reduceAutosave,
} from '#features/profile/autosave-state.ts'
import { aProfile } from '#testing/fixtures.ts'

/** The state after some events, and the effects of the last of them. */
const after = (
  ...events: AutosaveEvent[]
): { state: AutosaveState; effects: AutosaveEffect[]; kinds: string[] } => {
  let state = openedState(aProfile(), {})
  let effects: AutosaveEffect[] = []
  for (const event of events) [state, effects] = reduceAutosave(state, event)
  return { state, effects, kinds: effects.map(({ type }) => type) }
}

const typed = (value: string, name: 'phone' | 'addressCity' = 'phone'): AutosaveEvent => ({
  type: 'typed',
  name,
  value,
})
const TIMER_ENDED: AutosaveEvent = { type: 'timer-ended' }
const PAGE_LEFT: AutosaveEvent = { type: 'page-left' }

test('typing starts the timer and keeps a draft', () => {
  expect(after(typed('1'))).toMatchObject({
    state: { status: 'waiting' },
    kinds: ['start-timer', 'keep-draft'],
  })
})

test('taking back what was typed stops the timer', () => {
  expect(after(typed('1'), typed(''))).toMatchObject({
    state: { status: 'idle' },
    kinds: ['stop-timer', 'keep-draft'],
  })
})

test('the end of the timer saves what was changed, by the version it was changed at', () => {
  expect(after(typed('1'), TIMER_ENDED).effects).toContainEqual({
    type: 'save',
    fields: { phone: '1' },
    version: 1,
    rebases: 0,
  })
})

test('the end of the timer during a save is remembered until that is answered', () => {
  const during = [typed('1'), TIMER_ENDED, typed('12'), TIMER_ENDED]
  expect(after(...during).effects).toEqual([])
  const saved: AutosaveEvent = {
    type: 'saved',
    sent: { phone: '1' },
    profile: aProfile({ phone: '1', version: 2 }),
  }
  expect(after(...during, saved).effects).toContainEqual({
    type: 'save',
    fields: { phone: '12' },
    version: 2,
    rebases: 0,
  })
})

test('a page that is left overtakes the save in flight, and sends the same only once', () => {
  expect(after(typed('1'), TIMER_ENDED, PAGE_LEFT).kinds).toEqual(['stop-timer'])
  expect(after(typed('1'), TIMER_ENDED, typed('12'), PAGE_LEFT).effects).toContainEqual({
    type: 'save',
    fields: { phone: '12' },
    version: undefined,
    rebases: 0,
  })
})

test('a conflict sends what is left of the changes to the newer profile, if anything is', () => {
  const conflict = (fields: Parameters<typeof aProfile>[0]): AutosaveEvent => ({
    type: 'conflict',
    profile: aProfile({ ...fields, version: 5 }),
    rebases: 0,
  })
  expect(after(typed('1'), TIMER_ENDED, conflict({ addressCity: 'Paris' })).effects).toEqual([
    { type: 'save', fields: { phone: '1' }, version: 5, rebases: 1 },
  ])
  expect(after(typed('1'), TIMER_ENDED, conflict({ phone: '1' }))).toMatchObject({
    state: { status: 'saved', inFlight: 0 },
    kinds: ['show-saved', 'keep-draft'],
  })
})

test('an event changes no state that was there before', () => {
  const state = openedState(aProfile(), { phone: '1' })
  const before = structuredClone(state)
  reduceAutosave(state, TIMER_ENDED)
  expect(state).toEqual(before)
})
