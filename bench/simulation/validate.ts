import { Clock, type Steps } from './clock.ts'
import { sandboxGateway } from './gateway-model.ts'
import type { Layout } from './layout.ts'
import { ASK_EVERY_MS } from './loads.ts'
import { CALLS, type Measured, type Point, QUIET, scaled } from './measured.ts'
import { createRandom, exponential } from './random.ts'
import { Thread } from './resources.ts'
import { ShopModel } from './shop-model.ts'

/**
 * How far the model may be off. Throughput is what capacity follows from, so a quarter, which is what the same load varies
 * by from run to run on a shared machine. Times near saturation magnify every error of the throughput, so two fifths.
 */
export const TOLERANCE = { perSecond: 0.25, p50: 0.4 } as const

type Predicted = { perSecond: number; p50: number; p99: number }

export const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? Number.NaN

/** The bench's own machine: buyers, gateway, mail server, shop and database on the same processors. */
const benchLayout = ({ cores, commit }: Measured): Layout => ({
  name: 'bench',
  machines: 1,
  cores,
  processes: 1,
  hasOwnDatabase: false,
  networkMs: 0,
  commitMs: commit.aloneMs,
  inProduction: false,
  servesFiles: false,
})

const predictWith = (measured: Measured, { offered, seconds }: Point, rivals: number) => {
  const clock = new Clock()
  const random = createRandom(1)
  const { calls } = measured
  const gatewayMs = calls.pay.gateway + calls.outcome.gateway
  const shop: ShopModel = new ShopModel(
    clock,
    measured,
    benchLayout(measured),
    // Its thread needs the shop's processors, which the shop makes.
    sandboxGateway(() => gateway, gatewayMs),
    rivals,
  )
  const [cores] = shop.machines
  if (!cores) throw new Error('a layout has at least one machine')
  const gateway = new Thread(clock, cores)
  const client = new Thread(clock, cores)
  const end = seconds * 1000
  const times: number[] = []

  function* buy(): Steps {
    const began = clock.now
    yield client.run(calls.order.client)
    yield* shop.order()
    yield client.run(calls.pay.client)
    const payment = yield* shop.pay()
    for (;;) {
      yield client.run(calls.poll.client)
      const isSuccess = payment?.isSuccess
      yield* shop.poll()
      if (isSuccess) break
      yield clock.pause(ASK_EVERY_MS)
    }
    if (clock.now <= end) times.push(clock.now - began)
  }
  function* buyAgainAndAgain(): Steps {
    while (clock.now < end) yield* buy()
  }
  function* arrive(perSecond: number): Steps {
    while (clock.now < end) {
      yield clock.pause(exponential(random, 1000 / perSecond))
      clock.start(buy())
    }
  }
  if ('buyers' in offered) for (let one = 0; one < offered.buyers; one++) clock.start(buyAgainAndAgain())
  else clock.start(arrive(offered.perSecond))
  clock.run(end)
  times.sort((a, b) => a - b)
  const othersUsed = cores.rivalled / end
  return {
    predicted: { perSecond: times.length / seconds, p50: share(times, 0.5), p99: share(times, 0.99) },
    othersUsed,
    processorMs: cores.worked / Math.max(1, times.length),
  }
}

/** Other programs get what the machine gave them then: how hungry they must have been for it is found by halving. */
const besideOthers = (measured: Measured, point: Point) => {
  let [low, high] = [0, 4 * measured.cores]
  for (let step = 0; step < 12; step++) {
    const middle = (low + high) / 2
    if (predictWith(measured, point, middle).othersUsed < point.others) low = middle
    else high = middle
  }
  return predictWith(measured, point, low)
}

const dearer = (measured: Measured, by: number): Measured => {
  const calls = { ...measured.calls }
  for (const name of CALLS) calls[name] = scaled(calls[name], by)
  return { ...measured, calls }
}

/**
 * On a machine that rests the model knows nothing of the load but what is offered. Beside programs of others, which make
 * all work dearer, it is told by how much the load's processor time was: then only its queues are put to the test.
 */
export const predict = (measured: Measured, point: Point): Predicted & { dearer: number } => {
  const { predicted, processorMs } = besideOthers(measured, point)
  if (point.others < QUIET) return { ...predicted, dearer: 1 }
  // Never cheaper: where it seems so, fewer receipts were made within the load's time.
  const by = Math.max(1, point.processorMs / processorMs)
  return { ...besideOthers(dearer(measured, by), point).predicted, dearer: by }
}

export type Verdict = {
  point: Point
  predicted: Predicted & { dearer: number }
  off: { perSecond: number; p50: number }
  isMet: boolean
}

export const validate = (measured: Measured): Verdict[] =>
  measured.points.map((point) => {
    const predicted = predict(measured, point)
    const off = {
      perSecond: predicted.perSecond / point.perSecond - 1,
      p50: predicted.p50 / point.p50 - 1,
    }
    const isMet = Math.abs(off.perSecond) <= TOLERANCE.perSecond && Math.abs(off.p50) <= TOLERANCE.p50
    return { point, predicted, off, isMet }
  })
