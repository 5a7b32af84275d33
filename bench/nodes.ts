/** `npm run bench:nodes`: what many nodes, many peers and many addresses cost. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { measureAddresses } from './addresses.ts'
import { measureAgents } from './agents.ts'
import { startBenchShop } from './shop.ts'

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-nodes-'))
const postgres = await startPostgres({ dataDir: folder })
try {
  console.log(`machine: ${process.arch}, Node.js ${process.versions.node}`)
  const shop = await startBenchShop(postgres.url, join(folder, 'shop'), 20)
  const { rows, toldMs } = await measureAgents(shop, postgres.url)
  console.log('One API process, its agents waiting for changes')
  console.table(rows)
  console.log('From the record of a success to its answer at the agent, ms:', toldMs)
  await shop.stop()
  console.log('Addresses of one pool, given out one by one')
  console.table([await measureAddresses(postgres.url)])
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
