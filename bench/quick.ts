/**
 * `npm run bench -- --quick`: milliseconds of the processors, of all programs together, for one of each thing that a shop
 * does, against the last ten runs of history.csv by what a yardstick took in the same run.
 */
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hashToken } from '@hedgerow/api/crypto/tokens'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { Pool } from 'pg'
import { API_FLAGS, PROGRAM_ENV } from '../scripts/api-process.ts'
import { buildPages } from '../scripts/build-pages.ts'
import { startLogIns } from './answers.ts'
import { type BenchNode, openBenchNode } from './bench-node.ts'
import { median, round } from './measure.ts'
import { processorMs, yardstickMs } from './processor.ts'
import { startBuyers } from './purchases.ts'
import { RawConnection, rawRequest } from './raw-client.ts'
import { startBenchShop } from './shop.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HISTORY = join(import.meta.dirname, 'history.csv')
const BUYERS = 8
const READERS = 16
const LOG_INS_AT_ONCE = 4
const WARM_UP_S = 3
const BUY_S = 8
const ANSWERS = 20_000
const PAGES = 300
const CHANGES = 100
const STARTS = 5
/** So many runs before are what a figure is compared with. */
const COMPARED = 10

const later = promisify(execFile)

/** Sends the same so often, by turns on some connections. */
const ask = async (port: number, requests: readonly string[], times: number): Promise<void> => {
  const connections = await Promise.all(Array.from({ length: READERS }, () => RawConnection.open(port)))
  let left = times
  const lane = async (connection: RawConnection) => {
    while (left-- > 0) for (const request of requests) await connection.send(request)
  }
  await Promise.all(connections.map(lane))
  for (const connection of connections) connection.close()
}

/** What a first visit to the home page asks for. */
const pageRequests = async (port: number): Promise<string[]> => {
  const html = await (await fetch(`http://127.0.0.1:${port}/`)).text()
  const assets = new Set(
    [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string),
  )
  return ['/', ...assets].map((path) => rawRequest('GET', path))
}

/** A real node in a network namespace of its own; undefined where there can be none. */
const openNode = async (folder: string, port: number, pool: Pool): Promise<BenchNode | undefined> => {
  const [id, token] = [randomUUID(), randomBytes(32).toString('base64url')]
  try {
    execFileSync('sh', ['-c', 'command -v wireguard-go nft && test "$(id -u)" = 0'], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  await pool.query(
    `insert into nodes (id, name, endpoint, ipv4, ipv6, enrolment_hash, enrolment_expires_at)
    values ($1, 'bench', '192.0.2.7:51820', '10.80.0.0/15', 'fd80::/64', $2, now() + interval '1 hour')`,
    [id, hashToken(token)],
  )
  const node = await openBenchNode(folder, port, token)
  node.start()
  // Before its agent has looked it has said neither: it would be sold, and then not, and apply changes while it sets itself up.
  const isServing = "select faults = '' and list_names is not null as is_serving from nodes where id = $1"
  while (!(await pool.query(isServing, [id])).rows[0].is_serving) await pause(50)
  return node
}

/** A customer switches a filter on or off, and the node has applied it. */
const changeFilter = async (pool: Pool): Promise<void> => {
  const { rowCount } = await pool.query(
    `with one as (select connection_id, node_id from peers where node_id = (select id from nodes where name = 'bench') limit 1),
      set as (update connections set filters_on = filters_on # 2 from one where id = connection_id),
      touched as (update peers set revision = null from one where peers.connection_id = one.connection_id returning peers.node_id)
    select pg_notify('changed', 'node:' || node_id) from touched`,
  )
  if (rowCount === 0) throw new Error('no connection was delivered to the node')
  for (;;) {
    const { rows } = await pool.query(
      `select revision = applied_revision and not exists (select from peers where node_id = nodes.id and revision is null) as is_done
       from nodes where name = 'bench'`,
    )
    if (rows[0].is_done) return
    await pause(2)
  }
}

type Run = { at: string; commit: string; yardstick: number; figures: Record<string, number> }

/** A line each: when, of which commit, the yardstick, and NAME=MS of each figure, so that one may be added later. */
const readHistory = (): Run[] =>
  existsSync(HISTORY)
    ? readFileSync(HISTORY, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => {
          const [at = '', commit = '', yardstick, ...figures] = line.split(',')
          const pairs = figures.map((figure) => figure.split('='))
          return {
            at,
            commit,
            yardstick: Number(yardstick),
            figures: Object.fromEntries(pairs.map(([name, ms]) => [name, Number(ms)])),
          }
        })
    : []

const keep = ({ at, commit, yardstick, figures }: Run): void => {
  if (!existsSync(HISTORY)) writeFileSync(HISTORY, 'at,commit,yardstick,figures\n')
  const each = Object.entries(figures).map(([name, ms]) => `${name}=${ms}`)
  appendFileSync(HISTORY, `${[at, commit, yardstick, ...each].join(',')}\n`)
}

const compare = ({ yardstick, figures }: Run, before: readonly Run[]) =>
  Object.entries(figures).map(([name, ms]) => {
    const past = before.flatMap((run) =>
      name in run.figures ? [(run.figures[name] as number) / run.yardstick] : [],
    )
    const now = ms / yardstick
    return {
      'one of each': name,
      'processor, ms': ms,
      'against the last ten': past.length === 0 ? 'first' : `${round(now / median(past), 2)}`,
      'they ranged':
        past.length === 0
          ? ''
          : `${round(Math.min(...past) / median(past), 2)} to ${round(Math.max(...past) / median(past), 2)}`,
    }
  })

export const benchQuickly = async (): Promise<void> => {
  await buildPages(ROOT)
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
  const postgres = await startPostgres({ dataDir: folder })
  const pool = new Pool({ connectionString: postgres.url, max: 1 })
  pool.on('error', () => undefined)
  let node: BenchNode | undefined
  try {
    const shop = await startBenchShop(postgres.url, folder, BUYERS)
    const server = Number(
      readFileSync(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0],
    )
    const programs = [shop.api.process.pid as number, shop.sandbox.process.pid as number, server]
    const yardsticks: number[] = []
    const figures: Record<string, number> = {}
    /** `work` answers how often it was done. */
    const measure = async (name: string, work: () => Promise<number>, more: readonly number[] = []) => {
      yardsticks.push(yardstickMs())
      const all = [...programs, ...more]
      const before = processorMs(all)
      const times = await work()
      figures[name] = round((processorMs(all) - before) / times, 3)
    }

    const buyers = startBuyers(shop, postgres.url)
    await buyers.perSecond(WARM_UP_S)
    await buyers.untilReceived()
    await buyers.analyse()
    await pause(1000)
    await measure('idle second', async () => {
      await pause(5000)
      return 5
    })
    let bought = 0
    await measure('purchase', async () => {
      const before = await buyers.delivered()
      await buyers.perSecondWithoutReceipts(BUY_S)
      bought = (await buyers.delivered()) - before
      return bought
    })
    await measure('receipt', async () => {
      await buyers.untilReceived()
      return bought
    })
    const paymentId = await buyers.one()
    await buyers.untilReceived()
    await measure('poll', async () => {
      await ask(shop.port, [rawRequest('GET', `/api/v1/payment/status/${paymentId}`)], ANSWERS)
      return ANSWERS
    })
    await measure('list', async () => {
      await ask(shop.port, [rawRequest('GET', '/api/v1/shop/items')], ANSWERS)
      return ANSWERS
    })
    const requests = await pageRequests(shop.port)
    await measure('page', async () => {
      await ask(shop.port, requests, PAGES)
      return PAGES
    })
    const visitors = await startLogIns(shop.port, postgres.url, LOG_INS_AT_ONCE)
    await measure('log-in', async () => {
      await visitors.perSecond(3)
      return visitors.done()
    })
    node = await openNode(folder, shop.port, pool)
    if (node) {
      await pool.query("update nodes set is_open = name = 'bench'")
      await buyers.one()
      await buyers.delivered()
      await buyers.untilReceived()
      await changeFilter(pool)
      const pids = node.pids()
      await measure(
        'change on a node',
        async () => {
          for (let n = 0; n < CHANGES; n++) await changeFilter(pool)
          return CHANGES
        },
        pids,
      )
    }
    await measure('start of the tool', async () => {
      const env = { ...process.env, DATABASE_URL: postgres.url, ...PROGRAM_ENV }
      for (let n = 0; n < STARTS; n++)
        await later(process.execPath, [...API_FLAGS, join(ROOT, 'apps/api/src/ops.ts'), 'check', 'list'], {
          env,
        })
      return STARTS
    }, [process.pid])
    await buyers.stop()
    await shop.stop()
    const run: Run = {
      at: new Date().toISOString().slice(0, 16),
      commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
      yardstick: round(median(yardsticks), 1),
      figures,
    }
    console.log(
      `yardstick: ${run.yardstick} ms, ${round(Math.min(...yardsticks), 1)} to ${round(Math.max(...yardsticks), 1)}`,
    )
    console.table(compare(run, readHistory().slice(-COMPARED)))
    keep(run)
  } finally {
    await node?.close()
    await pool.end()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
