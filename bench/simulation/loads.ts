import { setTimeout as pause } from 'node:timers/promises'
import { RawConnection, rawRequest } from '../raw-client.ts'
import { type BenchShop, ORDER, orderAndPay } from '../shop.ts'
import { createRandom, exponential } from './random.ts'

/** How often a buyer of these loads asks for the status. The storefront asks less often (`POLL_EVERY_MS`); here the time counts. */
export const ASK_EVERY_MS = 10

/** Buyers of an open load wait for no connection of another. */
const CONNECTIONS = 128

export type Load = {
  done: number
  /** Milliseconds each, sorted: from the order to the answer that says Success. */
  times: number[]
}

/** `buyers` at once, each the next purchase as soon as the last is a success; or so many arrivals a second, whatever happens. */
export type Offered = { buyers: number } | { perSecond: number }

let turn = 0

/** Customers in turn: a profile does not grow without end under one of them. */
export const nextToken = (shop: BenchShop): string => shop.tokens[turn++ % shop.tokens.length] as string

export const openAll = (shop: BenchShop, count: number): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: count }, () => RawConnection.open(shop.port)))

export const closeAll = (connections: readonly RawConnection[]): void => {
  for (const connection of connections) connection.close()
}

const buy = async (shop: BenchShop, connection: RawConnection): Promise<void> => {
  const paymentId = await orderAndPay(connection, nextToken(shop), (_, call) => call())
  const ask = rawRequest('GET', `/api/v1/payment/status/${paymentId}`)
  while (!(await connection.send(ask)).body.includes('"Success"')) await pause(ASK_EVERY_MS)
}

/** Whole purchases, as they are offered, for so long. */
export const buyWhole = async (shop: BenchShop, offered: Offered, seconds: number): Promise<Load> => {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const timed = async (connection: RawConnection) => {
    const began = performance.now()
    await buy(shop, connection)
    if (performance.now() <= end) times.push(performance.now() - began)
  }
  if ('buyers' in offered) {
    const connections = await openAll(shop, offered.buyers)
    await Promise.all(
      connections.map(async (connection) => {
        while (performance.now() < end) await timed(connection)
      }),
    )
    closeAll(connections)
  } else {
    const free = await openAll(shop, CONNECTIONS)
    const all = [...free]
    const random = createRandom(1)
    const underWay: Promise<void>[] = []
    let due = performance.now()
    while (due < end) {
      due += exponential(random, 1000 / offered.perSecond)
      await pause(Math.max(0, due - performance.now()))
      const connection = free.pop()
      if (!connection) throw new Error('the open load has used up its connections: offer less')
      underWay.push(timed(connection).then(() => void free.push(connection)))
    }
    await Promise.all(underWay)
    closeAll(all)
  }
  return { done: times.length, times: times.sort((a, b) => a - b) }
}

/** Counts the answers of `lanes` connections that ask one after the other, for so long. */
export const askFor = async (
  shop: BenchShop,
  lanes: number,
  seconds: number,
  requestOf: () => string,
): Promise<number> => {
  const connections = await openAll(shop, lanes)
  const end = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) {
        const request = requestOf()
        const { status, body } = await connection.send(request)
        if (status > 299) throw new Error(`${request.split('\r\n')[0]}: ${status} ${body}`)
        done++
      }
    }),
  )
  closeAll(connections)
  return done
}

export const orderRequest = (shop: BenchShop): string =>
  rawRequest('POST', '/api/v1/orders', nextToken(shop), ORDER)
