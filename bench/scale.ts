/** `npm run bench:scale`: 5,000 customers who wait at once, and a shop with a past against one without. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { Client, Pool } from 'pg'
import { type Child, startChild } from './child.ts'
import { fillShop, PAST } from './fill-shop.ts'
import { median, round } from './measure.ts'
import { RawConnection, rawRequest } from './raw-client.ts'
import { type BenchShop, orderAndPay, purchase, startBenchShop, untilDelivered } from './shop.ts'
import type { Waited } from './waiting-customers.ts'

const WAITING = Number(process.env.BENCH_WAITING ?? 5_000)
const POLL_MS = 500
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 300)
const LANES = 4

const waitAt = async (crowd: Child, task: object): Promise<Waited> => {
  crowd.process.send(task)
  const [waited] = await once(crowd.process, 'message')
  return waited as Waited
}

const medianOf = (runs: Waited[], key: keyof Waited) => median(runs.map((run) => run[key]))

/** Status calls of so many customers, and the same of a route that does nothing else. */
const crowds = async (shop: BenchShop, paymentIds: string[]) => {
  const crowd = await startChild('./waiting-customers.ts', {})
  const bare = await startChild('./bare-fastify.ts', {})
  const task = { customers: WAITING, everyMs: POLL_MS, seconds: SECONDS }
  const shops: Waited[] = []
  const bares: Waited[] = []
  for (let run = 0; run < 3; run++) {
    bares.push(
      await waitAt(crowd, { ...task, port: bare.ready.port, paths: paymentIds.map((id) => `/status/${id}`) }),
    )
    const paths = paymentIds.map((id) => `/api/v1/payment/status/${id}`)
    shops.push(await waitAt(crowd, { ...task, port: shop.port, paths }))
  }
  await crowd.stop()
  await bare.stop()
  const row = (what: string, runs: Waited[]) => ({
    what,
    'offered/s': round(medianOf(runs, 'offered') / SECONDS),
    'answered/s': round(medianOf(runs, 'answered') / SECONDS),
    'answered %': round((100 * medianOf(runs, 'answered')) / medianOf(runs, 'offered'), 1),
    'p50 ms': round(medianOf(runs, 'p50'), 1),
    'p99 ms': round(medianOf(runs, 'p99'), 1),
  })
  return [row('status of the shop', shops), row('yardstick: bare Fastify route', bares)]
}

const CALLS = ['order', 'pay', 'status', 'profile', 'history'] as const
type Times = Record<(typeof CALLS)[number], number[]>

const noTimes = (): Times => ({ order: [], pay: [], status: [], profile: [], history: [] })

const timed = async <T>(times: number[], call: () => Promise<T>): Promise<T> => {
  const start = performance.now()
  const answer = await call()
  times.push(performance.now() - start)
  return answer
}

/** One customer's way through the shop, each call timed. */
const visit = async (connection: RawConnection, token: string, times: Times): Promise<void> => {
  const paymentId = await orderAndPay(connection, token, (name, call) => timed(times[name], call))
  const get = (path: string) => connection.send(rawRequest('GET', path, token))
  await timed(times.status, () => get(`/api/v1/payment/status/${paymentId}`))
  await timed(times.profile, () => get('/api/v1/user/profile'))
  await timed(times.history, () => get('/api/v1/payment/history'))
}

const percentile = (times: number[], share: number) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN

/** The same visits to both, in turns, by customers who each come a few times only: a past, not a habit, is measured. */
const compare = async (empty: BenchShop, full: BenchShop) => {
  const measured = await Promise.all(
    [empty, full].map(async (shop) => ({
      shop,
      times: noTimes(),
      lanes: await Promise.all(Array.from({ length: LANES }, () => RawConnection.open(shop.port))),
    })),
  )
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const { shop, times, lanes } of measured) {
      const isWarm = turn >= ROUNDS / 10
      await Promise.all(
        lanes.map((connection, lane) =>
          visit(
            connection,
            shop.tokens[(turn * LANES + lane) % shop.tokens.length] as string,
            isWarm ? times : noTimes(),
          ),
        ),
      )
    }
  }
  for (const { lanes } of measured) for (const lane of lanes) lane.close()
  const [small, large] = measured.map(({ times }) => times) as [Times, Times]
  return CALLS.map((call) => {
    const of = (times: Times, share: number) => round(percentile(times[call], share), 2)
    return {
      call,
      'empty p50 ms': of(small, 0.5),
      'full p50 ms': of(large, 0.5),
      'p50 ratio': round(of(large, 0.5) / of(small, 0.5), 2),
      'empty p99 ms': of(small, 0.99),
      'full p99 ms': of(large, 0.99),
      'p99 ratio': round(of(large, 0.99) / of(small, 0.99), 2),
      aim: '< 1.5',
    }
  })
}

const databaseOf = async (adminUrl: string, name: string): Promise<string> => {
  const admin = new Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-scale-'))
const postgres = await startPostgres({ dataDir: folder })
try {
  const customers = (ROUNDS * LANES) / 4
  const [emptyUrl, fullUrl] = [
    await databaseOf(postgres.url, 'empty_shop'),
    await databaseOf(postgres.url, 'full_shop'),
  ]
  const empty = await startBenchShop(emptyUrl, join(folder, 'empty'), customers)
  const full = await startBenchShop(fullUrl, join(folder, 'full'), customers)
  const pool = new Pool({ connectionString: fullUrl, max: 1 })
  await fillShop(pool)
  await pool.end()

  console.log(`machine: ${process.arch}, Node.js ${process.versions.node}`)
  console.log(`${ROUNDS * LANES} visits to a shop with a past and to one without:`, PAST)
  console.table(await compare(empty, full))
  await full.stop()

  const books = new Pool({ connectionString: emptyUrl, max: 1 })
  const buyer = await RawConnection.open(empty.port)
  const paymentIds: string[] = []
  for (let i = 0; i < 100; i++)
    paymentIds.push(await purchase(buyer, empty.tokens[i % empty.tokens.length] as string))
  await untilDelivered(books)
  buyer.close()
  await books.end()
  console.log(`${WAITING} customers who ask every ${POLL_MS} ms; medians of 3 × ${SECONDS} s`)
  console.table(await crowds(empty, paymentIds))
  await empty.stop()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
