/** `npm run bench`: the shop against yardsticks in the same run; prints medians of three and ratios. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { buildPages } from '../scripts/build-pages.ts'
import { answersBeside, logInsBeside, profileMs, serveBytes, startLogIns } from './answers.ts'
import { bareWritesPerSecond, ownTables, shopTables } from './bare-writes.ts'
import { startChild } from './child.ts'
import { landingBytes } from './landing-bytes.ts'
import { median, medianOfThree, round } from './measure.ts'
import { startBuyers } from './purchases.ts'
import { benchQuickly } from './quick.ts'
import { RawConnection, rawRequest } from './raw-client.ts'
import { openSessions, purchase, startBenchShop } from './shop.ts'
import { startTimes } from './start-times.ts'

const BUYERS = 8
const POLLERS = 64
const READERS = 32
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const WHOLE_SECONDS = 5 * SECONDS
/** Purchases, and log-ins, after which the memory is looked at. */
const MEMORY_AFTER = Number(process.env.BENCH_PURCHASES ?? 10_000)
const SETTLE_MS = 5_000
/** With three connections each. */
const PURCHASES_OF_ONE = 167

if (process.argv.includes('--quick')) {
  await benchQuickly()
  process.exit()
}

await buildPages(fileURLToPath(new URL('..', import.meta.url)))
const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
const postgres = await startPostgres({ dataDir: folder })
try {
  const shop = await startBenchShop(postgres.url, folder, BUYERS)
  await pause(SETTLE_MS)
  const idleMiB = shop.api.rssMiB()
  const buyers = startBuyers(shop, postgres.url)

  await buyers.perSecond(2)
  await buyers.untilReceived()
  await buyers.analyse()
  const inShopTables: number[] = []
  const inOwnTables: number[] = []
  const purchases = await medianOfThree(async () => {
    // Receipts of the run before would share the processors.
    await buyers.untilReceived()
    inShopTables.push(await bareWritesPerSecond(postgres.url, shopTables, BUYERS, SECONDS))
    inOwnTables.push(await bareWritesPerSecond(postgres.url, ownTables, BUYERS, SECONDS))
    return buyers.perSecondWithoutReceipts(SECONDS)
  })
  // One long run: invoices are made each 5 s, so that after a short one it is mostly those that are waited for.
  const whole = await buyers.whole(WHOLE_SECONDS)

  let bought = await buyers.delivered()
  while (bought < MEMORY_AFTER) {
    await buyers.perSecond(1)
    bought = await buyers.delivered()
  }
  await buyers.untilReceived()
  const rssMiB = shop.api.rssMiB()

  const bareRoute = await startChild('./bare-fastify.ts', {})
  const paymentId = await buyers.one()
  const polls = await answersBeside(
    { port: shop.port, request: rawRequest('GET', `/api/v1/payment/status/${paymentId}`) },
    { port: Number(bareRoute.ready.port), request: rawRequest('GET', `/status/${paymentId}`) },
    POLLERS,
    SECONDS,
  )
  await bareRoute.stop()

  const list = rawRequest('GET', '/api/v1/shop/items')
  const reader = await RawConnection.open(shop.port)
  const bytes = await serveBytes((await reader.send(list)).body)
  reader.close()
  const lists = await answersBeside(
    { port: shop.port, request: list },
    { port: Number(bytes.ready.port), request: list },
    READERS,
    SECONDS,
  )
  await bytes.stop()

  const [poor = '', rich = ''] = await openSessions(postgres.url, 2)
  const customer = await RawConnection.open(shop.port)
  await purchase(customer, poor)
  customer.close()
  await buyers.delivered()
  const profileOf = (token: string) => rawRequest('GET', '/api/v1/user/profile', token)
  const visitors = await startLogIns(shop.port, postgres.url, READERS)
  const logIns = await logInsBeside(visitors, shop.port, SECONDS, profileOf(poor))
  while (visitors.done() < MEMORY_AFTER) await visitors.perSecond(SECONDS)
  const afterLogInsMiB = shop.api.rssMiB()
  const hoarder = await RawConnection.open(shop.port)
  for (let i = 0; i < PURCHASES_OF_ONE; i++) await purchase(hoarder, rich)
  hoarder.close()
  await buyers.delivered()
  const profile = await profileMs(shop.port, rich, 30)

  await buyers.stop()
  await shop.stop()

  console.log(`machine: ${process.arch}, Node.js ${process.versions.node}; medians of 3 × ${SECONDS} s`)
  const row = (what: string, value: number, yardstick: string, ofIt: number, aim: string) => ({
    what,
    value: round(value),
    yardstick,
    'yardstick/s': round(ofIt),
    ratio: round(value / ofIt, 2),
    aim,
  })
  const atOnce = `purchases/s, ${BUYERS} at once`
  const without = `${atOnce}, without receipts`
  console.table([
    row(without, purchases, 'bare pg, the same 7 statements', median(inShopTables), '≥ 0.35'),
    row(without, purchases, 'bare pg, 7 statements, no indexes', median(inOwnTables), ''),
    row(
      `${atOnce}, with statuses and receipts`,
      whole.perSecond,
      'bare pg, the same 7 statements',
      median(inShopTables),
      '≥ 500/s',
    ),
    row(`status polls/s, ${POLLERS} at once`, polls.value, 'bare Fastify route', polls.yardstick, '≥ 0.6'),
    row(
      `list of plans/s, ${READERS} at once`,
      lists.value,
      'the same bytes by node:http',
      lists.yardstick,
      '≥ 0.5',
    ),
    row(`log-ins/s, ${READERS} at once`, logIns.value, 'argon2id, 4 at once', logIns.yardstick, '≥ 0.8'),
  ])
  console.table([
    { what: 'order to Success, p99, ms', value: round(whole.p99), aim: '≤ 40' },
    {
      what: `receipts left after ${WHOLE_SECONDS} s of purchases`,
      value: whole.left,
      aim: '0',
    },
    { what: 'profile with 501 connections, ms', value: round(profile, 1), aim: '≤ 50' },
    { what: 'profile with 3 connections, p99, ms', value: round(logIns.aloneMs, 1), aim: '' },
    {
      what: `the same while ${READERS} log in, p99, ms`,
      value: round(logIns.othersMs, 1),
      aim: 'the same',
    },
    { what: 'API memory idle, MiB', value: round(idleMiB), aim: '≤ 110' },
    { what: `API memory after ${bought} purchases, MiB`, value: round(rssMiB), aim: '' },
    {
      what: `API memory after ${visitors.done()} log-ins more, MiB`,
      value: round(afterLogInsMiB),
      aim: '≤ 150',
    },
  ])
  console.table(await landingBytes())
  if (!process.argv.includes('--no-start')) console.table(await startTimes())
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
