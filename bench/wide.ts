/**
 * `npm run bench:wide`: more processes, customers, agents and payments beside few of each, in one run. Words after `--` choose
 * parts of it: `npm run bench:wide -- past`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseAt, onServer } from '@hedgerow/api/testing/template-database'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { round } from './measure.ts'
import { startBenchShop } from './shop.ts'
import { compareAgents } from './wide/agents.ts'
import { compareCrowds } from './wide/crowds.ts'
import { comparePartitions } from './wide/partitions.ts'
import { comparePast } from './wide/past.ts'
import { compareProcesses } from './wide/processes.ts'

/** As an operator of a shop of this size sets them; those with a past and those without share the server. */
const SETTINGS = { max_connections: '300', shared_buffers: '1GB', max_wal_size: '8GB' }

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-wide-'))
const postgres = await startPostgres({ dataDir: folder, settings: SETTINGS })

const customers = async () => {
  await onServer(postgres.url, 'create database customers')
  const url = databaseAt(postgres.url, 'customers')
  const shop = await startBenchShop(url, join(folder, 'customers'), 20)
  await compareCrowds(shop, url)
  await shop.stop()
}

const PARTS = {
  processes: () => compareProcesses(postgres.url, folder),
  customers,
  agents: () => compareAgents(postgres.url, folder),
  past: async () => comparePartitions(await comparePast(postgres.url, folder)),
}

try {
  console.log(
    `machine: ${process.arch}, ${availableParallelism()} processors, which the clients, the sandbox and the database share; Node.js ${process.versions.node}; PostgreSQL with`,
    SETTINGS,
  )
  const chosen = process.argv.slice(2)
  for (const [name, run] of Object.entries(PARTS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const start = performance.now()
    await run()
    console.log(`(${name}: ${round((performance.now() - start) / 1000)} s)\n`)
  }
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
