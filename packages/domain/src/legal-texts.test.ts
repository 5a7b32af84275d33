import { expect, test } from 'vitest'
import { unfinishedIn } from './legal-texts.ts'

test.each([
  'This is a template. It was written with care.',
  'Whoever runs a shop with this must have a lawyer check it.',
  'Write to [your email address].',
  'We are [Company name], a company in England.',
  'The court of [insert place].',
  'It holds from [date].',
  'Write to […] or [___].',
  'Write to [].',
  'TODO: returns',
])('a text is not finished that says “%s”', (text) => {
  expect(unfinishedIn(text)).toBeDefined()
})

test.each([
  'I/We [*] hereby give notice. [*] Delete as appropriate.',
  'See section [7] and note [a].',
  'We keep a draft of what you type.',
  'You may address a question to us.',
])('a text may say “%s”', (text) => {
  expect(unfinishedIn(text)).toBeUndefined()
})
