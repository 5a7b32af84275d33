import { expect, test } from 'vitest'
import { createMinutes, type ProcessorTimes } from '#report/minutes.ts'

const NOON = Date.parse('2026-11-21T12:00:00Z')
const MINUTE = NOON / 60_000

const reading = (received: number, sent: number, handshake = NOON) => ({
  presharedKey: '',
  allowedIps: [],
  hasEndpoint: true,
  place: 'home',
  handshakeS: handshake / 1000,
  received,
  sent,
})

const start = () => {
  const now = { errors: 0, processors: { idle: 0, all: 0 } as ProcessorTimes }
  const minutes = createMinutes({
    idOfKey: (key) => (key.startsWith('own') ? undefined : key),
    errorCount: () => now.errors,
    processors: () => now.processors,
  })
  return {
    now,
    ...minutes,
    look: (seconds: number, ...peers: ReturnType<typeof reading>[]) =>
      minutes.note(new Map(peers.map((peer, at) => [`peer ${at}`, peer])), NOON + seconds * 1000),
  }
}

test('a minute has the sums of all peers, and who was connected at once at most', () => {
  const { look, take, now } = start()
  look(0, reading(1_000, 50))
  look(60, reading(1_100, 60), reading(5, 5))
  look(90, reading(1_200, 70), reading(10, 10, NOON - 300_000))
  now.errors = 3
  now.processors = { idle: 25, all: 100 }
  // The minute in which it was started was not seen from its beginning.
  look(120, reading(1_300, 80))
  expect(take()).toEqual([
    { minute: MINUTE + 1, peers: 2, received: 210, sent: 30, processor: 75, errors: 3 },
  ])
  expect(take()).toEqual([])
})

test('counters that begin anew count from nothing, and those of a first look are from before', () => {
  const { look, take } = start()
  look(0, reading(9_000, 9_000))
  look(60, reading(9_000, 9_000))
  look(90, reading(40, 4))
  look(120, reading(50, 5))
  look(180, reading(60, 6))
  expect(take().map(({ received, sent }) => [received, sent])).toEqual([
    [40, 4],
    [10, 1],
  ])
})

test('what was not looked at is left out, and the bytes are not', () => {
  const { look, take } = start()
  for (const seconds of [0, 60, 120]) look(seconds, reading(seconds, 0))
  look(600, reading(600, 0))
  look(660, reading(660, 0))
  look(720, reading(720, 0))
  expect(take().map(({ minute }) => minute - MINUTE)).toEqual([1, 2, 11])
})

test('the agent’s own peers and the shop’s count for nothing', () => {
  const { note, take } = start()
  for (const at of [0, 1, 2, 3]) note(new Map([['own', reading(at * 100, at)]]), NOON + at * 60_000)
  expect(take()).toMatchObject([
    { peers: 0, received: 0, sent: 0 },
    { peers: 0, received: 0, sent: 0 },
  ])
})

test('a day of them waits for a shop that is away, and no more', () => {
  const { look, take } = start()
  for (let minute = 0; minute <= 2_000; minute++) look(minute * 60, reading(0, 0))
  const waited = take()
  expect(waited).toHaveLength(1_440)
  expect(waited.at(-1)?.minute).toBe(MINUTE + 1_999)
})
