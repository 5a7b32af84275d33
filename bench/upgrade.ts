/**
 * `npm run bench:upgrade`: two processes behind the shipped nginx site are restarted, upgraded and put back under customers who
 * read pages, order and pay. Not one request may fail, and no page may miss a file; what nginx says by itself is judged too.
 * BENCH_RATE: requests a second (30). BENCH_RESTARTS: how often each is restarted in each scene (3).
 */
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { startShippedNginx } from '../scripts/shipped-nginx.ts'
import { startChild } from './child.ts'
import { openSessions } from './shop.ts'
import { judgeAway } from './upgrade-away.ts'
import { newTally, startLoad, type Tally } from './upgrade-load.ts'
import { assetsOf, installReleases, ROOT, removeFolder, ShopProcess } from './upgrade-releases.ts'

const PER_SECOND = Number(process.env.BENCH_RATE ?? 30)
const RESTARTS = Number(process.env.BENCH_RESTARTS ?? 3)
const CUSTOMERS = 8
/** As in production. */
const { STOP_NOTICE_SECONDS = '3' } = process.env

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-upgrade-'))
const postgres = await startPostgres({ dataDir: join(folder, 'data') })
const scenes: ({ scene: string } & Tally)[] = []
let faults: string[] = []
try {
  console.log('Building two versions …')
  const releases = await installReleases(join(folder, 'releases'))
  const sandbox = await startChild('../apps/sandbox/src/main.ts', {
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_SMTP_PORT: '0',
  })
  const [tlsPort, httpPort] = [await freePort(), await freePort()]
  const env = {
    DATABASE_URL: postgres.url,
    DATA_DIR: join(folder, 'data'),
    ASSETS_DIR: join(folder, 'assets'),
    STOP_NOTICE_SECONDS,
    GATE_URL: String(sandbox.ready.url),
    SMTP_URL: `smtp://127.0.0.1:${sandbox.ready.smtpPort}`,
    PUBLIC_URL: `https://127.0.0.1:${tlsPort}`,
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_SCALE: '0',
  }
  const first = await ShopProcess.start(releases.a, env)
  const second = await ShopProcess.start(releases.a, env)
  const both = [first, second]
  const site = { root: ROOT, folder: join(folder, 'nginx'), tlsPort, httpPort }
  const stopNginx = await startShippedNginx({ ...site, ports: both.map(({ port }) => port) })
  const customers = startLoad(tlsPort, await openSessions(postgres.url, CUSTOMERS), PER_SECOND)

  const play = async (scene: string, act: () => Promise<void>) => {
    customers.tally = newTally()
    await pause(2000)
    await act()
    await pause(2000)
    scenes.push({ scene, ...customers.tally })
    const { requests, failed, broken } = customers.tally
    console.log(`${scene}: ${requests} requests, ${failed.length} failed, ${broken.length} pages broken`)
    for (const line of [...failed, ...broken].slice(0, 20)) console.log(`  ${line}`)
  }
  /** What a page that was opened before wants of its version, afterwards. */
  const askFor = async (release: string) => {
    const names = await assetsOf(release)
    for (const { path, status } of await customers.loadAll(names.map((name) => `/assets/${name}`)))
      if (status !== 200) customers.tally.broken.push(`${path}: ${status}`)
  }
  const inTurn = async (release: string, restMs: number, rounds = RESTARTS) => {
    for (let round = 0; round < rounds; round++)
      for (const shop of both) {
        await shop.restart(release)
        await pause(restMs)
      }
  }

  await play('nothing happens', () => pause(5000))
  await play('restarts, with a rest between them', () => inTurn(releases.a, 2000))
  await play('restarts back to back', () => inTurn(releases.a, 0))
  await play('an upgrade', () => inTurn(releases.b, 0, 1))
  await play('pages that were open before it', () => askFor(releases.a))
  await play('the way back', () => inTurn(releases.a, 0, 1))
  await play('pages of the version that was left', () => askFor(releases.b))
  await play('both versions beside each other', async () => {
    await second.restart(releases.b)
    await askFor(releases.a)
    await askFor(releases.b)
  })

  await customers.stop()
  for (const shop of both) await shop.stop()
  await stopNginx()
  await sandbox.stop()
  await mkdir(join(folder, 'away'))
  faults = await judgeAway(ROOT, join(folder, 'away'))
} finally {
  await postgres.stop()
  await removeFolder(folder)
}

console.table(
  scenes.map(({ scene, requests, failed, pages, broken, slowestMs }) => ({
    scene,
    requests,
    failed: failed.length,
    pages,
    'broken pages': broken.length,
    'slowest, ms': Math.round(slowestMs),
  })),
)
const wrong = [...scenes.flatMap(({ failed, broken }) => [...failed, ...broken]), ...faults]
for (const line of wrong.slice(0, 40)) console.error(line)
console.log(
  faults.length === 0 ? 'nginx’s own pages and logs are right' : 'nginx’s own pages or logs are wrong',
)
process.exit(wrong.length === 0 ? 0 : 1)
