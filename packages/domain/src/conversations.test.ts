import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CONVERSATION_KINDS,
  CONVERSATION_STATES,
  type ConversationKind,
  type ConversationState,
  canTransitionConversation,
  MESSAGE_AUTHORS,
  stateAfterMessage,
} from './conversations.ts'

const ALLOWED: Record<ConversationKind, readonly string[]> = {
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
const pairs = CONVERSATION_KINDS.flatMap((kind) =>
  CONVERSATION_STATES[kind].flatMap((from) =>
    CONVERSATION_STATES[kind].map((to) => [kind, from, to] as const),
  ),
)

test.each(
  pairs.map(([kind, from, to]) => [kind, from, to, ALLOWED[kind].includes(`${from} → ${to}`)] as const),
)('%s from %s to %s: %s', (kind, from, to, allowed) => {
  expect(canTransitionConversation(kind, from, to)).toBe(allowed)
})

test('no kind takes a state of the other', () => {
  expect(canTransitionConversation('support', 'new', 'accepted')).toBe(false)
  expect(canTransitionConversation('application', 'talking', 'closed')).toBe(false)
  expect(canTransitionConversation('application', 'closed', 'talking')).toBe(false)
})

describe('whatever is written and decided, in whatever order', () => {
  const stories = CONVERSATION_KINDS.map((kind) =>
    fc.tuple(
      fc.constant<ConversationKind>(kind),
      fc.array(fc.constantFrom<string>(...MESSAGE_AUTHORS, ...CONVERSATION_STATES[kind])),
    ),
  )
  const isAuthor = (step: string) => MESSAGE_AUTHORS.find((author) => author === step)

  test('a state is one of its kind, only allowed moves are made, and nothing is final', () => {
    fc.assert(
      fc.property(fc.oneof(...stories), ([kind, steps]) => {
        let state: ConversationState = 'new'
        for (const step of steps) {
          const author = isAuthor(step)
          const next: ConversationState = author
            ? stateAfterMessage(kind, state, author)
            : canTransitionConversation(kind, state, step)
              ? (step as ConversationState)
              : state
          expect(next === state || canTransitionConversation(kind, state, next)).toBe(true)
          state = next
          expect(CONVERSATION_STATES[kind]).toContain(state)
          expect(CONVERSATION_STATES[kind].some((to) => canTransitionConversation(kind, state, to))).toBe(
            true,
          )
        }
      }),
    )
  })

  test('no words of a customer decide about an application, and support always hears them', () => {
    for (const state of CONVERSATION_STATES.application)
      expect(stateAfterMessage('application', state, 'customer')).toBe(state)
    for (const state of CONVERSATION_STATES.support)
      expect(stateAfterMessage('support', state, 'customer')).toBe('new')
  })

  test('an answer is an answer: support is answered, a new application talked about', () => {
    for (const state of CONVERSATION_STATES.support)
      expect(stateAfterMessage('support', state, 'operator')).toBe('answered')
    const after = CONVERSATION_STATES.application.map((state) =>
      stateAfterMessage('application', state, 'operator'),
    )
    expect(after).toEqual(['talking', 'talking', 'accepted', 'refused'])
  })
})
