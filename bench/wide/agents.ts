/** Twenty times as many agents, each with a thousand peers, at one API process. */
import { join } from 'node:path'
import { databaseAt, onServer } from '@hedgerow/api/testing/template-database'
import { AGENTS_ENV, type AgentsFigures, measureAgents } from '../agents.ts'
import { round } from '../measure.ts'
import { startBenchShop } from '../shop.ts'

const FEW = 10
const MANY = Number(process.env.BENCH_AGENTS ?? 200)
const PEERS = Number(process.env.BENCH_PEERS ?? 1000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)

const measure = async (serverUrl: string, folder: string, agents: number): Promise<AgentsFigures> => {
  const name = `agents_${agents}`
  await onServer(serverUrl, `create database ${name}`)
  const url = databaseAt(serverUrl, name)
  const shop = await startBenchShop(url, join(folder, name), 20, AGENTS_ENV)
  const figures = await measureAgents(shop, url, { agents, peers: PEERS, seconds: SECONDS })
  await shop.stop()
  return figures
}

export const compareAgents = async (serverUrl: string, folder: string): Promise<void> => {
  const few = await measure(serverUrl, folder, FEW)
  const many = await measure(serverUrl, folder, MANY)
  const row = (what: string, of: (figures: AgentsFigures) => number, digits = 0) => ({
    what,
    [`${FEW} agents`]: round(of(few), digits),
    [`${MANY} agents`]: round(of(many), digits),
    ratio: round(of(many) / of(few), 2),
  })
  console.log(`Agents with ${PEERS} peers each, which wait for changes at one API process`)
  console.table([
    row('all agents have all their peers, s', ({ allToldSeconds }) => allToldSeconds, 2),
    row('from a success to its agent, p50 ms', ({ toldMs }) => toldMs.p50),
    row('from a success to its agent, p99 ms', ({ toldMs }) => toldMs.p99),
    row('purchases/s, 8 at once', ({ purchasesPerSecond }) => purchasesPerSecond),
    row('the same meanwhile, p50 ms', ({ busyToldMs }) => busyToldMs.p50),
    row('the same meanwhile, p99 ms', ({ busyToldMs }) => busyToldMs.p99),
    row('API memory after it, MiB', ({ rssMiB }) => rssMiB),
    row('API while nothing happens, % of a core', ({ idle }) => idle, 1),
  ])
}
