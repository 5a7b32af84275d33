/** Ten times as many customers who wait for a payment, and how many there may be. */
import { once } from 'node:events'
import { Pool } from 'pg'
import { type Child, startChild } from '../child.ts'
import { round } from '../measure.ts'
import { RawConnection } from '../raw-client.ts'
import { type BenchShop, purchase, untilDelivered } from '../shop.ts'
import type { Waited } from './waiting-customers.ts'

const MANY = Number(process.env.BENCH_WAITING ?? 10_000)
const FEW = MANY / 10
const POLL_MS = 500
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const PAYMENTS = 100
/** Answered before its next question is due, of a hundred questions. */
const IN_TIME = 99
const MOST_STEPS = 6

const waitAt = async (crowd: Child, port: number, paths: string[], customers: number): Promise<Waited> => {
  crowd.process.send({ port, paths, customers, everyMs: POLL_MS, seconds: SECONDS })
  const [waited] = await once(crowd.process, 'message')
  return waited as Waited
}

const shareOf = ({ answered, offered }: Waited) => (100 * answered) / offered

const rowOf = (what: string, waited: Waited, few: Waited) => ({
  what,
  'asked/s': round(waited.offered / SECONDS),
  'answered/s': round(waited.answered / SECONDS),
  'in time %': round(shareOf(waited), 1),
  'p50 ms': round(waited.p50, 1),
  'beside few': round(waited.p50 / few.p50, 1),
  'p99 ms': round(waited.p99, 1),
  'beside few ': round(waited.p99 / few.p99, 1),
})

/** Status calls of the customers of a shop, and the same of a route that does nothing else. */
export const compareCrowds = async (shop: BenchShop, databaseUrl: string): Promise<void> => {
  const books = new Pool({ connectionString: databaseUrl, max: 1 })
  const buyer = await RawConnection.open(shop.port)
  const ids: string[] = []
  for (let i = 0; i < PAYMENTS; i++)
    ids.push(await purchase(buyer, shop.tokens[i % shop.tokens.length] as string))
  await untilDelivered(books)
  buyer.close()
  await books.end()

  const crowd = await startChild('./wide/waiting-customers.ts', {})
  const bare = await startChild('./bare-fastify.ts', {})
  const ofShop = (customers: number) =>
    waitAt(
      crowd,
      shop.port,
      ids.map((id) => `/api/v1/payment/status/${id}`),
      customers,
    )
  const ofBare = (customers: number) =>
    waitAt(
      crowd,
      Number(bare.ready.port),
      ids.map((id) => `/status/${id}`),
      customers,
    )
  const [few, many] = [await ofShop(FEW), await ofShop(MANY)]
  const [fewBare, manyBare] = [await ofBare(FEW), await ofBare(MANY)]
  console.log(`Customers who ask every ${POLL_MS} ms, one API process`)
  console.table([
    rowOf(`${FEW} at the shop`, few, few),
    rowOf(`${MANY} at the shop`, many, few),
    rowOf(`${FEW} at a bare Fastify route`, fewBare, fewBare),
    rowOf(`${MANY} at a bare Fastify route`, manyBare, fewBare),
  ])

  const step = MANY / 5
  const isUpwards = shareOf(many) >= IN_TIME
  let served = isUpwards ? MANY : 0
  for (let steps = 1; steps <= MOST_STEPS; steps++) {
    const customers = isUpwards ? MANY + steps * step : MANY - steps * step
    if (customers <= 0) break
    const isInTime = shareOf(await ofShop(customers)) >= IN_TIME
    if (isInTime) served = customers
    if (isInTime !== isUpwards) break
  }
  console.log(
    `${IN_TIME} % are answered in time up to about ${served} customers, ${(served * 1000) / POLL_MS} questions a second; looked at in steps of ${step}`,
  )
  await crowd.stop()
  await bare.stop()
}
