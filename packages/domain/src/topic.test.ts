import { expect, test } from 'vitest'
import { topicOf } from './topic.ts'

test.each([
  ['My tunnel is slow. Since noon.', 'My tunnel is slow.'],
  ['Hello,\n\nthe tunnel is slow\nsince noon', 'the tunnel is slow'],
  ['Dear Hedgerow team,\nWhere is my refund?', 'Where is my refund?'],
  ['Hello', 'Hello'],
  ['It is 1.5 times slower', 'It is 1.5 times slower'],
  ['  ', ''],
])('of %o is %o', (text, topic) => {
  expect(topicOf(text, 'Ada Lovelace')).toBe(topic)
})

test.each([
  ['I am Ada, and LOVELACE is on the card', 'I am A., and L. is on the card'],
  ['Adamant, not Ada', 'Adamant, not A.'],
  ['Write to ada.l@example.org, please', 'Write to a…@example.org, please'],
  ['Call +44 (0)20 7946 0958 today', 'Call … today'],
  ['My card 4000 0000 0000 0077 was charged', 'My card … was charged'],
  ['Pay to DE89 3704 0044 0532 0130 00 now', 'Pay to … now'],
  ['From 203.0.113.25 it works', 'From … it works'],
  ['From 2001:db8::7:1 it works', 'From … it works'],
  ['See https://example.org/ada?x=1 for it', 'See … for it'],
  ['The key Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4 fails', 'The key … fails'],
])('hides who wrote %o', (text, topic) => {
  expect(topicOf(text, 'Ada Lovelace')).toBe(topic)
})

test('is cut where it is long, and quick with what is made to be slow', () => {
  expect(topicOf('slow and '.repeat(60), 'Ada')).toHaveLength(140)
  for (const unit of ['1 ', '1-', 'a@', ':', 'AB12 ', '.*+(', 'https://']) {
    // Of this thread's own time: a busy machine has others.
    const before = process.threadCpuUsage()
    topicOf(unit.repeat(3000), unit.repeat(60))
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(200)
  }
})
