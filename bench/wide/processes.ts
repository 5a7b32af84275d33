/** One API process beside two and four behind one port; and one of two is killed under load. */
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { databaseAt, onServer } from '@hedgerow/api/testing/template-database'
import { Pool } from 'pg'
import { median, ratePerSecond, round } from '../measure.ts'
import { RawConnection, rawRequest } from '../raw-client.ts'
import { type BenchShop, purchase, startBenchShop, untilDelivered } from '../shop.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const ROUNDS = 2
const LANES = 16
const NO_ANSWER_MS = 5_000
const PROCESSES = [1, 2, 4] as const

const childrenOf = async (pid: number): Promise<number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

const rssOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Of all processes together, in MiB. */
const memoryOf = async ({ api }: BenchShop): Promise<number> => {
  const pid = api.process.pid ?? 0
  const each = await Promise.all([pid, ...(await childrenOf(pid))].map(rssOf))
  return each.reduce((sum, one) => sum + one, 0)
}

type Figures = { purchases: number[]; polls: number[]; memory: number[] }

/** Whole purchases, which end when they are delivered, and status polls of one of them. */
const measure = async (shop: BenchShop, books: Pool, { purchases, polls, memory }: Figures) => {
  const connections = await Promise.all(Array.from({ length: LANES }, () => RawConnection.open(shop.port)))
  const connectionOf = (lane: number) => connections[lane] as RawConnection
  let paymentId = ''
  const buy = async (lane: number) => {
    paymentId = await purchase(connectionOf(lane), shop.tokens[lane] as string)
  }
  await ratePerSecond(LANES, 1, buy)
  const before = await untilDelivered(books)
  const start = performance.now()
  await ratePerSecond(LANES, SECONDS, buy)
  purchases.push(((await untilDelivered(books)) - before) / ((performance.now() - start) / 1000))
  const poll = rawRequest('GET', `/api/v1/payment/status/${paymentId}`)
  polls.push(
    await ratePerSecond(LANES, SECONDS, async (lane) => {
      const { status } = await connectionOf(lane).send(poll)
      if (status !== 200) throw new Error(`A status: ${status}`)
    }),
  )
  memory.push(await memoryOf(shop))
  for (const connection of connections) connection.close()
}

/** As a reverse proxy asks, over connections that are kept. Resolves to 0 where no answer came. */
const ask = (port: number, agent: Agent, token: string): Promise<number> =>
  new Promise((answered) => {
    const headers = { authorization: `Bearer ${token}` }
    const call = request({ port, path: '/api/v1/user/profile', agent, headers }, (reply) => {
      reply.resume()
      reply.on('end', () => answered(reply.statusCode ?? 0))
      reply.on('error', () => answered(0))
    })
    // One that was being handed to the killed process is never heard of.
    call.setTimeout(NO_ANSWER_MS, () => call.destroy())
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
    'not answered': outcomes.filter((status) => status === 0).length,
    'other failures': outcomes.filter((status) => status !== 0 && status !== 200).length,
    'started again after ms': round(again),
  }
}

export const compareProcesses = async (serverUrl: string, folder: string): Promise<void> => {
  const all = new Map<number, Figures>(
    PROCESSES.map((count) => [count, { purchases: [], polls: [], memory: [] }]),
  )
  let killed: Awaited<ReturnType<typeof killOne>> | undefined
  for (let turn = 0; turn < ROUNDS; turn++)
    for (const [processes, figures] of all) {
      const name = `processes_${turn}_${processes}`
      await onServer(serverUrl, `create database ${name}`)
      const url = databaseAt(serverUrl, name)
      const shop = await startBenchShop(url, folder, LANES, { PROCESSES: String(processes) })
      const books = new Pool({ connectionString: url, max: 1 })
      await measure(shop, books, figures)
      if (processes === 2 && turn === ROUNDS - 1) killed = await killOne(shop)
      await books.end()
      await shop.stop()
    }
  const one = all.get(1) as Figures
  const beside = (figures: Figures, key: keyof Figures) => round(median(figures[key]) / median(one[key]), 2)
  console.log(`API processes behind one port; ${ROUNDS} × ${SECONDS} s, ${LANES} lanes`)
  console.table(
    [...all].map(([processes, figures]) => ({
      processes,
      'purchases/s': round(median(figures.purchases)),
      'beside one': beside(figures, 'purchases'),
      'polls/s': round(median(figures.polls)),
      'beside one ': beside(figures, 'polls'),
      'memory MiB': round(median(figures.memory)),
      'beside one  ': beside(figures, 'memory'),
    })),
  )
  console.table([killed])
}
