/** `npm run bench:processes`: one process and two behind one port, in one run; then one of two is killed under load. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { Pool } from 'pg'
import { databaseAt, onServer } from '../apps/api/src/testing/template-database.ts'
import { median, ratePerSecond, round } from './measure.ts'
import { RawConnection, rawRequest } from './raw-client.ts'
import { type BenchShop, purchase, startBenchShop, untilDelivered } from './shop.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const ROUNDS = 3
const LANES = 16

const childrenOf = async (pid: number): Promise<number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

const rssOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const open = (port: number) => Promise.all(Array.from({ length: LANES }, () => RawConnection.open(port)))

type Figures = { reads: number[]; purchases: number[] }

/** Profiles, which ask the database, and whole purchases, which end when they are delivered. */
const measure = async (shop: BenchShop, books: Pool, { reads, purchases }: Figures) => {
  const connections = await open(shop.port)
  const tokenOf = (lane: number) => shop.tokens[lane] as string
  const connectionOf = (lane: number) => connections[lane] as RawConnection
  reads.push(
    await ratePerSecond(LANES, SECONDS, async (lane) => {
      const { status } = await connectionOf(lane).send(
        rawRequest('GET', '/api/v1/user/profile', tokenOf(lane)),
      )
      if (status !== 200) throw new Error(`A profile: ${status}`)
    }),
  )
  const before = await untilDelivered(books)
  const start = performance.now()
  await ratePerSecond(
    LANES,
    SECONDS,
    async (lane) => void (await purchase(connectionOf(lane), tokenOf(lane))),
  )
  purchases.push(((await untilDelivered(books)) - before) / ((performance.now() - start) / 1000))
  for (const connection of connections) connection.close()
}

/** As a reverse proxy asks, over connections that are kept. Resolves to 0 where the connection broke. */
const ask = (port: number, agent: Agent, token: string): Promise<number> =>
  new Promise((answered) => {
    const headers = { authorization: `Bearer ${token}` }
    const call = request({ port, path: '/api/v1/user/profile', agent, headers }, (reply) => {
      reply.resume()
      reply.on('end', () => answered(reply.statusCode ?? 0))
      reply.on('error', () => answered(0))
    })
    call.on('error', () => answered(0))
    call.end()
  })

/** One of two is killed while all lanes ask: how many answers did not come, and when there were two again. */
const killOne = async (shop: BenchShop) => {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES })
  const parent = shop.api.process.pid ?? 0
  const outcomes: number[] = []
  let again = Number.NaN
  const killer = (async () => {
    await pause((SECONDS * 1000) / 3)
    const [killed = 0] = await childrenOf(parent)
    const start = performance.now()
    process.kill(killed, 'SIGKILL')
    for (;;) {
      const now = await childrenOf(parent)
      if (now.length === 2 && !now.includes(killed)) break
      await pause(20)
    }
    again = performance.now() - start
  })()
  await ratePerSecond(LANES, SECONDS, async (lane) => {
    outcomes.push(await ask(shop.port, agent, shop.tokens[lane] as string))
  })
  await killer
  agent.destroy()
  return {
    what: 'one of two killed (SIGKILL)',
    requests: outcomes.length,
    'connection lost': outcomes.filter((status) => status === 0).length,
    'other failures': outcomes.filter((status) => status !== 0 && status !== 200).length,
    'started again after ms': round(again),
  }
}

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-processes-'))
const postgres = await startPostgres({ dataDir: folder })
try {
  const figures = new Map<number, Figures>()
  const memory = new Map<number, string>()
  let killed: Awaited<ReturnType<typeof killOne>> | undefined
  for (let turn = 0; turn < ROUNDS; turn++)
    for (const processes of [1, 2]) {
      const name = `bench_${turn}_${processes}`
      await onServer(postgres.url, `create database ${name}`)
      const url = databaseAt(postgres.url, name)
      const shop = await startBenchShop(url, folder, LANES, { PROCESSES: String(processes) })
      const books = new Pool({ connectionString: url, max: 1 })
      const own = figures.get(processes) ?? { reads: [], purchases: [] }
      figures.set(processes, own)
      await measure(shop, books, own)
      const pids = [shop.api.process.pid ?? 0, ...(await childrenOf(shop.api.process.pid ?? 0))]
      memory.set(processes, (await Promise.all(pids.map(rssOf))).map((mib) => round(mib)).join(' + '))
      if (processes === 2 && turn === ROUNDS - 1) killed = await killOne(shop)
      await books.end()
      await shop.stop()
    }
  console.log(
    `machine: ${process.arch}, ${availableParallelism()} processors, Node.js ${process.versions.node}; medians of ${ROUNDS} × ${SECONDS} s, which the client, the sandbox and the database share`,
  )
  console.table(
    [...figures].map(([processes, { reads, purchases }]) => ({
      processes,
      'profiles/s': round(median(reads)),
      'purchases/s': round(median(purchases)),
      'memory MiB': memory.get(processes),
    })),
  )
  console.table([killed])
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
