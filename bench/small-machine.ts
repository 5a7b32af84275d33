/**
 * `npm run bench:small`, as root: the shop and PostgreSQL in 512 MB (BENCH_MB), with some thousand purchases in their books.
 * Five purchases a second go on while the shop makes its backup and `ops doctor` looks at it, all within that memory; buyers
 * and gateway are outside. Says what failed, what was killed, and what held the memory at the end.
 */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { Pool } from 'pg'
import { PROGRAM_ENV } from '../scripts/api-process.ts'
import { round } from './measure.ts'
import { startBuyers } from './purchases.ts'
import { RawConnection } from './raw-client.ts'
import { purchase, startBenchShop, untilDelivered } from './shop.ts'

const MB = Number(process.env.BENCH_MB ?? 512)
const BEFORE = Number(process.env.BENCH_PURCHASES ?? 5_000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 90)
const BUYERS = 8
const EVERY_MS = 200
const PATIENCE_MS = 180_000

/** Of Linux' first control groups, or of the second. */
const V1 = {
  root: '/sys/fs/cgroup/memory',
  limit: 'memory.limit_in_bytes',
  most: 'memory.max_usage_in_bytes',
  kills: 'memory.oom_control',
}
const V2 = { root: '/sys/fs/cgroup', limit: 'memory.max', most: 'memory.peak', kills: 'memory.events' }

/** What runs in it has no more memory than that, and what takes more is killed. */
const openMemory = (megabytes: number) => {
  const isFirst = execFileSync('stat', ['-fc', '%T', V2.root], { encoding: 'utf8' }).trim() === 'tmpfs'
  const { root, limit, most, kills } = isFirst ? V1 : V2
  const folder = join(root, `hedgerow-bench-${process.pid}`)
  mkdirSync(folder)
  const file = (name: string) => join(folder, name)
  const read = (name: string) => readFileSync(file(name), 'utf8')
  writeFileSync(file(limit), String(megabytes * 2 ** 20))
  return {
    processes: file('cgroup.procs'),
    add: (pid: number) => writeFileSync(file('cgroup.procs'), String(pid)),
    pids: () => read('cgroup.procs').trim().split('\n').filter(Boolean),
    mostMiB: () => Number(read(most)) / 2 ** 20,
    killed: () => Number(/oom_kill (\d+)/.exec(read(kills))?.[1]),
    close: async () => {
      // Those that were ended are in it for a moment yet.
      while (read('cgroup.procs').trim()) await pause(100)
      rmdirSync(folder)
    },
  }
}

/** Shared pages in parts, by the programs that share them. */
const proportionalMiB = (pid: string): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const memory = openMemory(MB)
const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
const inMemory = join(folder, 'node')
writeFileSync(inMemory, `#!/bin/sh\necho $$ > ${memory.processes}\nexec ${process.execPath} "$@"\n`)
chmodSync(inMemory, 0o700)

const fill = async (url: string) => {
  const shop = await startBenchShop(url, folder, BUYERS)
  const buyers = startBuyers(shop, url)
  while ((await buyers.delivered()) < BEFORE) await buyers.perSecond(1)
  await buyers.untilReceived()
  await buyers.stop()
  await shop.stop()
}

try {
  const first = await startPostgres({ dataDir: folder })
  try {
    await fill(first.url)
  } finally {
    await first.stop()
  }
  const backups = join(folder, 'backups')
  await mkdir(backups, { mode: 0o700 })
  const postgres = await startPostgres({ dataDir: folder })
  try {
    const server = Number(
      readFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0],
    )
    for (const pid of [server, ...childrenOf(server)]) memory.add(pid)
    const shop = await startBenchShop(postgres.url, folder, BUYERS, { BACKUP_DIR: backups }, inMemory)
    const pool = new Pool({ connectionString: postgres.url, max: 1 })
    const { rows: before } = await pool.query('select count(*)::int as bought from payments')

    let [bought, failed] = [0, 0]
    const lane = async (token: string, nth: number) => {
      await pause(nth * EVERY_MS)
      for (const end = performance.now() + SECONDS * 1000; performance.now() < end; ) {
        const next = performance.now() + BUYERS * EVERY_MS
        const connection = await RawConnection.open(shop.port)
        await purchase(connection, token).then(
          () => bought++,
          () => failed++,
        )
        connection.close()
        await pause(Math.max(0, next - performance.now()))
      }
    }
    const doctor = async () => {
      const env = {
        ...process.env,
        ...PROGRAM_ENV,
        DATABASE_URL: postgres.url,
        DATA_DIR: folder,
      }
      const ops = fork(new URL('../apps/api/src/ops.ts', import.meta.url), ['doctor'], {
        execPath: inMemory,
        stdio: 'ignore',
        env,
      })
      const [, signal] = await once(ops, 'exit')
      return signal
    }
    /** As often as it can, so that one is there beside the backup, whenever that is made. */
    const looking = async () => {
      const signals: (string | null)[] = []
      for (const end = performance.now() + SECONDS * 1000; performance.now() < end; )
        signals.push(await doctor())
      return signals
    }
    const [signals] = await Promise.all([looking(), ...shop.tokens.map(lane)])
    const all = await untilDelivered(pool)
    const end = performance.now() + PATIENCE_MS
    const hasBackup = async () =>
      (await pool.query('select from backups where ended_at is not null')).rowCount !== 0
    while (!(await hasBackup()) && performance.now() < end) await pause(500)

    const pids = memory.pids()
    const ofApi = proportionalMiB(String(shop.api.process.pid))
    const ofAll = pids.map(proportionalMiB).reduce((sum, one) => sum + one, 0)
    console.table([
      { what: 'purchases', value: bought },
      { what: 'purchases that failed', value: failed },
      { what: 'delivered', value: all - before[0].bought },
      { what: 'a backup was made and read again', value: await hasBackup() },
      { what: 'runs of ops doctor', value: signals.length },
      { what: 'of them killed', value: signals.filter(Boolean).length },
      { what: 'programs that were killed', value: memory.killed() },
      { what: 'most memory, files that were read included, MiB', value: round(memory.mostMiB()) },
      { what: 'the shop at the end, MiB', value: round(ofApi) },
      { what: `PostgreSQL at the end (${pids.length - 1} processes), MiB`, value: round(ofAll - ofApi) },
    ])
    await pool.end()
    await shop.stop()
  } finally {
    await postgres.stop()
  }
} finally {
  await memory.close()
  await rm(folder, { recursive: true, force: true })
}
