import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canMoveEnquiry,
  ENQUIRY_KINDS,
  ENQUIRY_STATES,
  type EnquiryKind,
  type EnquiryState,
  MESSAGE_AUTHORS,
  stateAfterMessage,
} from './enquiries.ts'

const ALLOWED: Record<EnquiryKind, readonly string[]> = {
  support: [
    'new → answered',
    'new → closed',
    'answered → new',
    'answered → closed',
    'closed → new',
    'closed → answered',
  ],
  application: [
    'new → talking',
    'new → accepted',
    'new → refused',
    'talking → accepted',
    'talking → refused',
    'accepted → talking',
    'refused → talking',
  ],
}
const pairs = ENQUIRY_KINDS.flatMap((kind) =>
  ENQUIRY_STATES[kind].flatMap((from) => ENQUIRY_STATES[kind].map((to) => [kind, from, to] as const)),
)

test.each(
  pairs.map(([kind, from, to]) => [kind, from, to, ALLOWED[kind].includes(`${from} → ${to}`)] as const),
)('%s from %s to %s: %s', (kind, from, to, allowed) => {
  expect(canMoveEnquiry(kind, from, to)).toBe(allowed)
})

test('no kind takes a state of the other', () => {
  expect(canMoveEnquiry('support', 'new', 'accepted')).toBe(false)
  expect(canMoveEnquiry('application', 'talking', 'closed')).toBe(false)
  expect(canMoveEnquiry('application', 'closed', 'talking')).toBe(false)
})

describe('whatever is written and decided, in whatever order', () => {
  const stories = ENQUIRY_KINDS.map((kind) =>
    fc.tuple(
      fc.constant<EnquiryKind>(kind),
      fc.array(fc.constantFrom<string>(...MESSAGE_AUTHORS, ...ENQUIRY_STATES[kind])),
    ),
  )
  const isAuthor = (step: string) => MESSAGE_AUTHORS.find((author) => author === step)

  test('a state is one of its kind, only allowed moves are made, and nothing is final', () => {
    fc.assert(
      fc.property(fc.oneof(...stories), ([kind, steps]) => {
        let state: EnquiryState = 'new'
        for (const step of steps) {
          const author = isAuthor(step)
          const next: EnquiryState = author
            ? stateAfterMessage(kind, state, author)
            : canMoveEnquiry(kind, state, step)
              ? (step as EnquiryState)
              : state
          expect(next === state || canMoveEnquiry(kind, state, next)).toBe(true)
          state = next
          expect(ENQUIRY_STATES[kind]).toContain(state)
          expect(ENQUIRY_STATES[kind].some((to) => canMoveEnquiry(kind, state, to))).toBe(true)
        }
      }),
    )
  })

  test('no words of a customer decide about an application, and support always hears them', () => {
    for (const state of ENQUIRY_STATES.application)
      expect(stateAfterMessage('application', state, 'customer')).toBe(state)
    for (const state of ENQUIRY_STATES.support)
      expect(stateAfterMessage('support', state, 'customer')).toBe('new')
  })

  test('an answer is an answer: support is answered, a new application talked about', () => {
    for (const state of ENQUIRY_STATES.support)
      expect(stateAfterMessage('support', state, 'operator')).toBe('answered')
    const after = ENQUIRY_STATES.application.map((state) =>
      stateAfterMessage('application', state, 'operator'),
    )
    expect(after).toEqual(['talking', 'talking', 'accepted', 'refused'])
  })
})
