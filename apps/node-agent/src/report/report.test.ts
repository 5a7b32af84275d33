import { expect, test } from 'vitest'
import type { PeerReading } from '#device/driver.ts'
import { createConnectedFinder } from '#report/find-connected.ts'
import { createIdleFinder } from '#report/find-idle.ts'
import { createUsedTwiceFinder } from '#report/find-used-twice.ts'
import { createUsage } from '#report/usage.ts'

const NOON = Date.parse('2026-11-21T12:00:00Z')

const reading = (but: Partial<PeerReading>): PeerReading => ({
  presharedKey: '',
  allowedIps: [],
  hasEndpoint: true,
  place: 'home',
  handshakeS: 0,
  received: 0,
  sent: 0,
  ...but,
})
const at = (ms: number, but = {}) => new Map([['key', reading({ handshakeS: ms / 1000, ...but })]])

test('a connection is found once a day, by the day of UTC', () => {
  const finder = createConnectedFinder((key) => `id of ${key}`)
  const find = (handshake: number, now: number) => {
    const ids = finder.find(at(handshake), now)
    finder.markReported(ids)
    return ids
  }
  expect(find(0, NOON)).toEqual([])
  expect(find(NOON - 86_400_000, NOON)).toEqual([])
  expect(find(NOON - 1_000, NOON)).toEqual(['id of key'])
  expect(find(NOON + 5_000, NOON + 6_000)).toEqual([])
  expect(finder.isReported('id of key', NOON)).toBe(true)
  const midnight = Date.parse('2026-11-22T00:00:00Z')
  expect(find(midnight - 600_000, midnight)).toEqual([])
  expect(find(midnight - 10_000, midnight + 10_000)).toEqual(['id of key'])
})

test('a peer that nobody knows is not reported', () => {
  expect(createConnectedFinder(() => undefined).find(at(NOON), NOON)).toEqual([])
})

test('idle is whose handshake has been the same for long, and whose first one was not finished by the second look', () => {
  const find = createIdleFinder(180_000)
  expect(find(at(NOON), 0)).toEqual([])
  expect(find(at(NOON), 180_000)).toEqual([])
  expect(find(at(NOON), 181_000)).toEqual(['key'])
  expect(find(at(NOON, { hasEndpoint: false }), 182_000)).toEqual([])
  expect(find(at(0), 183_000)).toEqual([])
  expect(find(at(0), 184_000)).toEqual(['key'])
})

test('no one is idle because the clock of the server was set', () => {
  const find = createIdleFinder(180_000)
  for (const handshake of [NOON, NOON + 86_400_000, NOON - 86_400_000])
    expect(find(at(handshake), 0)).toEqual([])
})

test.each([
  ['two devices by turns', 'abababab', true],
  ['two devices, one of which is seen more often', 'aabbbabbbbbaabab', true],
  ['a phone that goes out and comes back', 'aaabbbaaa', false],
  ['a phone that goes from one network to the next', 'abcdefgh', false],
  ['a phone that goes out and comes back twice', 'ababa', false],
  ['two devices of which one has been off for a while', 'abababa----', false],
])('%s (%s)', (_who, places, isTwice) => {
  const find = createUsedTwiceFinder()
  const found = [...places].map((place, i) =>
    find(at(0, { place: place === '-' ? '' : place }), NOON + i * 30_000),
  )
  expect(found.at(-1)).toEqual(isTwice ? ['key'] : [])
})

test('what is long ago does not count for use by two devices', () => {
  const find = createUsedTwiceFinder()
  for (const [i, place] of [...'ababab'].entries()) find(at(0, { place }), NOON + i * 200_000)
  expect(find(at(0, { place: 'a' }), NOON + 1_200_000)).toEqual([])
})

test('bytes are counted from the first look on, and over counters that begin anew', () => {
  const usage = createUsage()
  const note = (received: number, sent: number) => usage.note(new Map([['key', reading({ received, sent })]]))
  note(1_000, 500)
  expect([...usage.take()]).toEqual([])
  note(1_100, 500)
  note(1_100, 700)
  note(30, 10)
  expect([...usage.take()]).toEqual([['key', { received: 130, sent: 210 }]])
  expect([...usage.take()]).toEqual([])
})
