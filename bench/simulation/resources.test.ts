import { describe, expect, test } from 'vitest'
import { Clock, type Steps } from './clock.ts'
import { createRandom, exponential, logNormal, type Random } from './random.ts'
import { Cores, Thread, Turns } from './resources.ts'

type Queue = { cores: number; rate: number; serviceOf: (random: Random) => number; seed: number; ms: number }

/** Arrivals that know nothing of each other; `rate` is of a millisecond. */
const queueAt = ({ cores, rate, serviceOf, seed, ms }: Queue, isInTurn: boolean) => {
  const clock = new Clock()
  const random = createRandom(seed)
  const processors = new Cores(clock, cores)
  const thread = new Thread(clock, processors)
  const times: number[] = []
  let [present, area, since] = [0, 0, 0]
  const change = (by: number) => {
    area += present * (clock.now - since)
    since = clock.now
    present += by
  }
  function* visit(): Steps {
    const came = clock.now
    change(1)
    const service = serviceOf(random)
    yield isInTurn ? thread.run(service) : processors.use(service)
    change(-1)
    times.push(clock.now - came)
  }
  function* arrivals(): Steps {
    for (;;) {
      yield clock.pause(exponential(random, 1 / rate))
      clock.start(visit())
    }
  }
  clock.start(arrivals())
  clock.run(ms)
  const mean = times.reduce((sum, one) => sum + one, 0) / times.length
  return {
    mean,
    throughput: times.length / ms,
    present: area / since,
    busy: processors.worked / ms / cores,
    times,
  }
}

const RUN = { seed: 3, ms: 300_000 }

describe('one after the other, against theory', () => {
  test('M/M/1: the mean time is 1 / (μ − λ)', () => {
    const { mean } = queueAt(
      { ...RUN, cores: 1, rate: 0.5, serviceOf: (random) => exponential(random, 1) },
      true,
    )
    expect(mean).toBeGreaterThan(1.9)
    expect(mean).toBeLessThan(2.1)
  })

  test('M/D/1: the mean time is 1/μ + ρ / (2μ(1 − ρ))', () => {
    const { mean } = queueAt({ ...RUN, cores: 1, rate: 0.5, serviceOf: () => 1 }, true)
    expect(mean).toBeGreaterThan(1.45)
    expect(mean).toBeLessThan(1.55)
  })

  test("Little's law: who is there is who comes times how long they stay", () => {
    const { mean, throughput, present } = queueAt(
      { ...RUN, cores: 1, rate: 0.7, serviceOf: (random) => exponential(random, 1) },
      true,
    )
    expect(present / (mean * throughput)).toBeCloseTo(1, 2)
  })
})

describe('processors that are shared', () => {
  test('M/G/1 with processor sharing: the mean time is 1 / (μ − λ), whatever the work is like', () => {
    const { mean, busy } = queueAt({ ...RUN, cores: 1, rate: 0.5, serviceOf: () => 1 }, false)
    expect(mean).toBeGreaterThan(1.9)
    expect(mean).toBeLessThan(2.1)
    expect(busy).toBeCloseTo(0.5, 1)
  })

  test('three tasks on two processors take a half longer, and one that is left is alone', () => {
    const clock = new Clock()
    const cores = new Cores(clock, 2)
    const ends: number[] = []
    for (const ms of [10, 10, 20]) cores.use(ms)(() => ends.push(clock.now))
    clock.run(100)
    expect(ends).toEqual([15, 15, 25])
    expect(cores.worked).toBeCloseTo(40)
  })

  test('what is nice has a smaller share, and all that nobody else can use', () => {
    const clock = new Clock()
    const cores = new Cores(clock, 1)
    const ends: number[] = []
    cores.use(5, 5)(() => ends.push(clock.now))
    cores.use(10)(() => ends.push(clock.now))
    clock.run(100)
    expect(ends[0]).toBeCloseTo(10 * (1 + 335 / 1024))
    expect(ends[1]).toBeCloseTo(15)

    const free = new Cores(clock, 3)
    for (const niceness of [10, 5, 0] as const) free.use(10, niceness)(() => ends.push(clock.now))
    clock.run(200)
    expect(ends.slice(2)).toEqual([110, 110, 110])
  })

  test('what one heavy task leaves of two processors, two light ones share by their weight', () => {
    const clock = new Clock()
    const cores = new Cores(clock, 2)
    const ends: Record<number, number> = {}
    for (const niceness of [10, 5, 0] as const)
      cores.use(
        10,
        niceness,
      )(() => {
        ends[niceness] = clock.now
      })
    clock.run(100)
    expect(ends[0]).toBeCloseTo(10)
    // Afterwards nobody shares: until then 335 and 110 of 445.
    expect(ends[5]).toBeCloseTo(10 + 10 * (110 / 445))
  })

  test('programs of others take their share', () => {
    const clock = new Clock()
    let end = 0
    new Cores(clock, 1, 1).use(10)(() => {
      end = clock.now
    })
    clock.run(100)
    expect(end).toBe(20)
  })
})

describe('turns', () => {
  test('are given in the order of coming, and so many may wait', () => {
    const clock = new Clock()
    const turns = new Turns(clock, 1, 2)
    const came: number[] = []
    for (const one of [1, 2, 3]) turns.take(() => came.push(one))
    expect([came, turns.waiting, turns.isFull()]).toEqual([[1], 2, true])
    turns.giveBack()
    turns.giveBack()
    clock.run(0)
    expect([came, turns.waiting, turns.isFull()]).toEqual([[1, 2, 3], 0, false])
  })
})

describe('chance', () => {
  const run = (seed: number) =>
    queueAt({ cores: 2, rate: 1, serviceOf: (random) => exponential(random, 1), seed, ms: 5_000 }, false)
      .times

  test('is the same for the same seed, and another for another', () => {
    expect(run(1)).toEqual(run(1))
    expect(run(1)).not.toEqual(run(2))
  })

  test('has the mean and the median that it is asked for', () => {
    const random = createRandom(7)
    const draws = Array.from({ length: 50_000 }, () => exponential(random, 3))
    expect(draws.reduce((sum, one) => sum + one, 0) / draws.length).toBeCloseTo(3, 1)
    const delays = Array.from({ length: 50_000 }, () => logNormal(random, 300, 0.5)).sort((a, b) => a - b)
    expect((delays[25_000] ?? 0) / 300).toBeCloseTo(1, 1)
  })
})
