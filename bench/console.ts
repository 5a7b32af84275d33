/** `npm run bench:console`: lists, search, files and open consoles of a shop with a million payments. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hashToken } from '@hedgerow/api/crypto/tokens'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { Pool } from 'pg'
import { openConsole } from './console-calls.ts'
import { fillShop, PAST } from './fill-shop.ts'
import { round } from './measure.ts'
import { type BenchShop, startBenchShop } from './shop.ts'

const CALLS = Number(process.env.BENCH_ROUNDS ?? 200)
const CONSOLES = 60
const WATCHED_S = 20
const EVENTS_PER_SECOND = 2
const TICKS_PER_SECOND = 100

/** Seconds of a processor that a process has used so far. */
const cpuOf = async (pid: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-console-bench-'))
const postgres = await startPostgres({ dataDir: folder })
let shop: BenchShop | undefined
try {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  shop = await startBenchShop(postgres.url, folder, 1, { CONSOLE_PORT: port })
  const { api } = shop
  const pool = new Pool({ connectionString: postgres.url, max: 2 })
  // At the end, by the server's stop.
  pool.on('error', () => undefined)
  await fillShop(pool)
  const { get, lists } = await openConsole(pool, url)
  console.log(`machine: ${process.arch}, Node.js ${process.versions.node}; a shop with`, PAST)
  console.table(
    (await lists(PAST.customers, CALLS)).map(({ what, p50, p99, aim }) => ({
      what,
      'p50 ms': round(p50, 1),
      'p99 ms': round(p99, 1),
      aim,
    })),
  )

  const before = api.rssMiB()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, api.rssMiB())
  }, 100)
  const start = performance.now()
  const { body } = await get('/api/v1/payments.csv')
  let bytes = 0
  for await (const chunk of body ?? []) bytes += chunk.length
  clearInterval(watch)
  console.table([
    {
      what: 'all payments as CSV',
      MB: round(bytes / 1e6, 1),
      seconds: round((performance.now() - start) / 1000, 1),
      'memory before MiB': round(before),
      'most meanwhile MiB': round(most),
    },
  ])

  const pid = api.process.pid ?? 0
  /** Percent of a core over some seconds, with a few events in each. */
  const cost = async () => {
    const used = await cpuOf(pid)
    for (let second = 0; second < WATCHED_S; second++) {
      for (let event = 0; event < EVENTS_PER_SECOND; event++)
        await pool.query("select pg_notify('changed', 'live conversation:' || gen_random_uuid())")
      await pause(1000)
    }
    return (100 * ((await cpuOf(pid)) - used)) / WATCHED_S
  }
  const none = await cost()
  const stop = new AbortController()
  let events = 0
  for (let console = 0; console < CONSOLES; console++) {
    // One operator has a few open at most.
    const own = randomBytes(32).toString('base64url')
    await pool.query(
      "with one as (insert into operators (id, name, role) values ($1, $2, 'owner') returning id) insert into operator_sessions (token_hash, operator_id) select $3, id from one",
      [randomUUID(), `Bench ${console}`, hashToken(own)],
    )
    const reply = await fetch(`${url}/api/v1/live`, {
      headers: { cookie: `operator-session=${own}` },
      signal: stop.signal,
    })
    if (!reply.ok) throw new Error(`live: ${reply.status}`)
    void (async () => {
      for await (const chunk of reply.body ?? [])
        events += Buffer.from(chunk).toString().split('data:').length - 1
    })().catch(() => undefined)
  }
  const open = await cost()
  stop.abort()
  console.table([
    {
      what: `${CONSOLES} consoles open, ${EVENTS_PER_SECOND} events a second`,
      '% of a core': round(open, 2),
      without: round(none, 2),
      more: round(open - none, 2),
      aim: '≤ 2',
      'events delivered': events,
    },
  ])
  await pool.end()
} finally {
  await shop?.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
