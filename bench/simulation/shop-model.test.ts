import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { layouts } from './assumptions.ts'
import { bounds, startWorld, steady } from './capacity.ts'
import { HABITS } from './customers.ts'
import { CALLS, type Cost, type Measured, type Point, readMeasured } from './measured.ts'
import { complaints } from './report.ts'
import { predict, validate } from './validate.ts'

const cost: Cost = { main: 0.5, documents: 0.1, threads: 0.1, database: 0.5, gateway: 0.1, client: 0.1 }

const plain: Cost = { ...cost, documents: 0 }

/** A shop whose calls all cost the same; only receipts have documents, and pages and polls ask no database. */
const measured: Measured = {
  measuredAt: '2026-11-23',
  machine: 'made up',
  cores: 2,
  idle: { main: 0, threads: 0, database: 0, gateway: 0 },
  calls: {
    ...(Object.fromEntries(CALLS.map((name) => [name, plain])) as Measured['calls']),
    receipt: cost,
    limit: { ...plain, threads: 0 },
    poll: { ...plain, database: 0 },
    page: { ...plain, database: 0 },
  },
  filesOfPage: 10,
  purchase: { commits: 10, notifications: 3, bytes: 7_000, walBytes: 14_000 },
  commit: { aloneMs: 0.3, plainPerSecond: 10_000, notifyingPerSecond: 4_000 },
  points: [],
}
const { oneWithFiles: layout } = layouts(measured)

describe('a shop under a steady load', () => {
  test('sells what is asked for, and is as busy as its calls add up to', () => {
    const { perSecond, busy, refused } = steady(measured, layout, 20, 0, 20_000)
    const [bound] = bounds(measured, layout).filter(({ what }) => what === 'processors')
    expect(perSecond / 20).toBeCloseTo(1, 0)
    expect(busy / (20 / (bound?.perSecond ?? 0))).toBeGreaterThan(0.85)
    expect(busy / (20 / (bound?.perSecond ?? 0))).toBeLessThan(1.1)
    expect(refused).toBe(0)
  })

  test('is the same each time for one seed', () => {
    const play = (seed: number) => {
      const { clock, seen } = startWorld(measured, layout, () => 5, 100, seed)
      clock.run(20_000)
      return seen
    }
    expect(play(1)).toEqual(play(1))
    expect(play(1).pages).not.toEqual(play(2).pages)
  })

  test('polls as often as the storefront does, until it says Success', () => {
    const { clock, seen } = startWorld(measured, layout, () => 5)
    clock.run(60_000)
    const mean = seen.successes.reduce((sum, { ms }) => sum + ms, 0) / seen.successes.length
    expect(seen.polls / seen.successes.length / (mean / 500)).toBeGreaterThan(0.8)
    expect(seen.polls / seen.successes.length / (mean / 500)).toBeLessThan(1.3)
    expect(seen.pages.length / seen.successes.length).toBeGreaterThan(HABITS.visits)
  })
})

test('while the database is away calls wait 4 s, then get a 503; nobody is lost, and it is as before afterwards', () => {
  const { clock, shop, seen } = startWorld(measured, layout, () => 5)
  clock.after(10_000, () => shop.stall(20_000))
  clock.run(45_000)
  const refused = shop.refused
  expect(refused).toBeGreaterThan(0)
  clock.run(120_000)
  expect(shop.refused).toBe(refused)
  expect(seen.lost).toBe(0)
  expect(seen.successes.length / (5 * 120)).toBeGreaterThan(0.9)
})

describe('the validation', () => {
  const point: Point = {
    what: 'x',
    offered: { buyers: 8 },
    seconds: 4,
    others: 0,
    processorMs: 0,
    perSecond: 0,
    p50: 0,
    p99: 0,
  }
  const own = predict(measured, point)
  const complaintsOf = (perSecond: number) =>
    complaints(validate({ ...measured, points: [{ ...point, ...own, perSecond }] }))

  test('is met by what the model itself says, by a little more, and not by half', () => {
    expect(complaintsOf(own.perSecond)).toEqual([])
    expect(complaintsOf(own.perSecond * 1.1)).toEqual([])
    expect(complaintsOf(own.perSecond / 2)[0]).toContain(
      'does not meet "x": purchases off by +100 % (25 % allowed)',
    )
  })

  test('takes away what other programs used', () => {
    const beside = predict(measured, { ...point, others: 1, processorMs: 14 })
    expect(beside.perSecond).toBeLessThan(0.7 * own.perSecond)
    expect(beside.dearer).toBeGreaterThan(1)
  })
})

describe('a file of measurements', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-measured-'))
  const file = join(folder, 'measured.json')
  afterEach(() => rmSync(file, { force: true }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is read as it is', () => {
    const whole = {
      ...measured,
      points: [1, 2].map(() => ({
        what: 'x',
        offered: { buyers: 8 },
        seconds: 4,
        others: 0,
        processorMs: 1,
        perSecond: 1,
        p50: 1,
        p99: 1,
      })),
    }
    writeFileSync(file, JSON.stringify(whole))
    expect(readMeasured(file)).toEqual(whole)
  })

  test.each([
    [undefined, 'cannot be read'],
    ['{', 'is not JSON'],
    ['{}', 'measuredAt: '],
    [JSON.stringify({ ...measured, cores: 'two' }), 'cores: '],
    [JSON.stringify(measured), 'points: '],
  ])('that is %j is refused in one line', (text, why) => {
    if (text !== undefined) writeFileSync(file, text)
    expect(() => readMeasured(file)).toThrow(why)
    expect(() => readMeasured(file)).toThrow('measure.ts')
  })
})
