/** `npm run bench:nodes`: what many nodes and many addresses cost. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { measureAddresses } from './addresses.ts'
import { AGENTS_ENV, measureAgents } from './agents.ts'
import { round } from './measure.ts'
import { startBenchShop } from './shop.ts'

const AGENTS = Number(process.env.BENCH_AGENTS ?? 1000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30)

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-nodes-'))
const postgres = await startPostgres({ dataDir: folder })
try {
  console.log(`machine: ${process.arch}, Node.js ${process.versions.node}`)
  const shop = await startBenchShop(postgres.url, join(folder, 'shop'), 20, AGENTS_ENV)
  const figures = await measureAgents(shop, postgres.url, { agents: AGENTS, peers: 0, seconds: SECONDS })
  console.log('One API process, its agents waiting for changes')
  console.table([
    { what: 'no agent', '% of a core': figures.idleWithout, 'MiB resident': round(figures.rssWithout) },
    {
      what: `${AGENTS} agents waiting, after purchases`,
      '% of a core': figures.idle,
      'MiB resident': round(figures.rssMiB),
    },
  ])
  console.log('From the record of a success to its answer at the agent, ms:', figures.toldMs)
  console.log('The same among other purchases, ms:', figures.busyToldMs)
  await shop.stop()
  console.log('Addresses of one pool, given out one by one')
  console.table([await measureAddresses(postgres.url)])
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
