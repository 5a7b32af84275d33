/** `npm run bench`: the shop against yardsticks in the same run; prints medians of three and ratios. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { Pool } from 'pg'
import { bareWritesPerSecond, ownTables, shopTables } from './bare-writes.ts'
import { startChild } from './child.ts'
import { landingBytes } from './landing-bytes.ts'
import { median, medianOfThree, ratePerSecond, round } from './measure.ts'
import { RawConnection, rawRequest } from './raw-client.ts'
import { purchase, startBenchShop, untilDelivered } from './shop.ts'
import { startTimes } from './start-times.ts'

const BUYERS = 8
const POLLERS = 64
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const MEMORY_PURCHASES = Number(process.env.BENCH_PURCHASES ?? 10_000)

const open = (port: number, count: number) =>
  Promise.all(Array.from({ length: count }, () => RawConnection.open(port)))

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
const postgres = await startPostgres({ dataDir: folder })
try {
  const shop = await startBenchShop(postgres.url, folder, BUYERS)
  const buyers = await open(shop.port, BUYERS)
  const buy = (lane: number) => purchase(buyers[lane] as RawConnection, shop.tokens[lane] as string)
  const books = new Pool({ connectionString: postgres.url, max: 1 })
  /** A run ends when everything that was paid in it is delivered. */
  const purchasesPerSecond = async (seconds: number) => {
    const before = await untilDelivered(books)
    const start = performance.now()
    await ratePerSecond(BUYERS, seconds, async (lane) => void (await buy(lane)))
    const delivered = (await untilDelivered(books)) - before
    return delivered / ((performance.now() - start) / 1000)
  }

  await purchasesPerSecond(2)
  const inShopTables: number[] = []
  const inOwnTables: number[] = []
  const purchases = await medianOfThree(async () => {
    inShopTables.push(await bareWritesPerSecond(postgres.url, shopTables, BUYERS, SECONDS))
    inOwnTables.push(await bareWritesPerSecond(postgres.url, ownTables, BUYERS, SECONDS))
    return purchasesPerSecond(SECONDS)
  })

  let bought = await untilDelivered(books)
  while (bought < MEMORY_PURCHASES) {
    await purchasesPerSecond(1)
    bought = await untilDelivered(books)
  }
  await books.end()
  const rss = shop.api.rssMiB()

  const paymentId = await buy(0)
  const bareRoute = await startChild('./bare-fastify.ts', {})
  const polled = await open(shop.port, POLLERS)
  const bared = await open(Number(bareRoute.ready.port), POLLERS)
  const poll = rawRequest('GET', `/api/v1/payment/status/${paymentId}`)
  const bareGet = rawRequest('GET', `/status/${paymentId}`)
  const send = (connections: RawConnection[], request: string) => async (lane: number) => {
    await (connections[lane] as RawConnection).send(request)
  }
  const routes: number[] = []
  const polls = await medianOfThree(async () => {
    routes.push(await ratePerSecond(POLLERS, SECONDS, send(bared, bareGet)))
    return ratePerSecond(POLLERS, SECONDS, send(polled, poll))
  })
  const route = median(routes)

  for (const connection of [...buyers, ...polled, ...bared]) connection.close()
  await bareRoute.stop()
  await shop.stop()

  console.log(`machine: ${process.arch}, Node.js ${process.versions.node}; medians of 3 × ${SECONDS} s`)
  console.table([
    {
      what: `purchases/s, ${BUYERS} customers at once`,
      value: round(purchases),
      yardstick: 'bare pg, the same 7 statements',
      'yardstick/s': round(median(inShopTables)),
      ratio: round(purchases / median(inShopTables), 2),
      aim: '≥ 0.2',
    },
    {
      what: `purchases/s, ${BUYERS} customers at once`,
      value: round(purchases),
      yardstick: 'bare pg, 7 statements, no indexes',
      'yardstick/s': round(median(inOwnTables)),
      ratio: round(purchases / median(inOwnTables), 2),
      aim: '≥ 0.2',
    },
    {
      what: `status polls/s, ${POLLERS} at once`,
      value: round(polls),
      yardstick: 'bare Fastify route',
      'yardstick/s': round(route),
      ratio: round(polls / route, 2),
      aim: '≥ 0.4',
    },
    { what: `API memory after ${bought} purchases, MiB`, value: round(rss), aim: '≤ 200' },
  ])
  console.table(await landingBytes())
  if (!process.argv.includes('--no-start')) console.table(await startTimes())
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
