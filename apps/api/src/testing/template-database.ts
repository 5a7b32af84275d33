import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findRunning, startPostgres } from '@hedgerow/embedded-postgres/start'
import { Pool } from 'pg'
import { seedDemonstrationNode } from '#network/nodes/demonstration-node.ts'
import { type OpenDatabase, openDatabase } from '#platform/database/client.ts'
import { migrate } from '#platform/database/migrate.ts'

export const TEMPLATE = 'template_shop'

/** Tests may lose this cluster at any moment, so nothing waits for the disk. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  unix_socket_permissions: '0700',
}

/** The address of another database on the same server. */
export const databaseAt = (serverUrl: string, name: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Kept for all the tests of a process, which make and drop databases all the time. */
const servers = new Map<string, Pool>()

/** Runs one statement of those that belong to the server, not to a database. */
export const onServer = async (serverUrl: string, statement: string): Promise<void> => {
  const server =
    servers.get(serverUrl) ?? new Pool({ connectionString: serverUrl, max: 2, allowExitOnIdle: true })
  if (!servers.has(serverUrl)) {
    // The cluster ends before the pool does.
    server.on('error', () => undefined)
    servers.set(serverUrl, server)
  }
  await server.query(statement)
}

const run = promisify(execFile)

/** By this version, or by the program of another, whose database this one has to run on (scripts/check-upgrade.ts). */
const migrateBy = async (program: string | undefined, database: OpenDatabase): Promise<void> => {
  if (!program) return void (await migrate(database))
  const { connectionString } = database.pool.options
  await run(process.execPath, [program], { env: { ...process.env, DATABASE_URL: connectionString } })
}

/** Tests connect thousands of times; a third of the work of each is the password's. Only this user reaches it. */
const trustSocket = async (dataDir: string, serverUrl: string): Promise<void> => {
  const file = join(dataDir, 'postgres', 'cluster', 'pg_hba.conf')
  await writeFile(file, `local all all trust\n${await readFile(file, 'utf8')}`)
  await onServer(serverUrl, 'select pg_reload_conf()')
}

const fillTemplate = async (serverUrl: string) => {
  await onServer(serverUrl, `create database ${TEMPLATE}`)
  const database = openDatabase(databaseAt(serverUrl, TEMPLATE), () => undefined)
  await migrateBy(process.env.TEST_MIGRATE_BY, database)
  await seedDemonstrationNode(database.db)
  // This machine is no shop's: what it finds here (a cluster that may lose everything) would wait for every test's operator.
  await database.pool.query(
    "select graphile_worker.add_job('watch-shop', '{}'::json, run_at := now() + interval '1 day', job_key := 'watch-shop')",
  )
  await database.pool.end()
  await onServer(serverUrl, `alter database ${TEMPLATE} with is_template true allow_connections false`)
}

const PREFIX = 'hedgerow-tests-'
const OWNER = 'owner'

/** Where Linux keeps files in memory: copying and dropping databases on a disk is most of what tests ask of PostgreSQL. */
const MEMORY = '/dev/shm'
/** Far more than a run has at any moment: a database takes a dozen megabytes, and the server's log one gigabyte at most. */
const NEEDED_BYTES = 2 * 1024 ** 3

const dataHome = async (): Promise<string> => {
  const memory = await statfs(MEMORY).catch(() => undefined)
  return memory && memory.bavail * memory.bsize >= NEEDED_BYTES ? MEMORY : tmpdir()
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A run that was killed could not tidy up; the next one does it. */
const removeOrphans = async (home: string): Promise<void> => {
  const names = await readdir(home).catch(() => [])
  for (const name of names.filter((entry) => entry.startsWith(PREFIX))) {
    const dataDir = join(home, name)
    const owner = await readFile(join(dataDir, OWNER), 'utf8').catch(() => undefined)
    if (owner === undefined || isAlive(Number(owner))) continue
    if (await findRunning(dataDir)) await (await startPostgres({ dataDir })).stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A folder for a run's data; should the run be killed, the next one stops what runs in it and removes it. */
export const openDataFolder = async (): Promise<{ dataDir: string; remove: () => Promise<void> }> => {
  for (const home of [MEMORY, tmpdir()]) await removeOrphans(home)
  const dataDir = await mkdtemp(join(await dataHome(), PREFIX))
  await writeFile(join(dataDir, OWNER), String(process.pid))
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

/** One PostgreSQL for a whole run of tests, with a database in it that is brought up to date once and then copied. */
export const startTestCluster = async (): Promise<{ url: string; stop: () => Promise<void> }> => {
  const { dataDir, remove } = await openDataFolder()
  try {
    const postgres = await startPostgres({
      dataDir,
      settings: { ...SETTINGS, unix_socket_directories: join(dataDir, 'postgres') },
    })
    const stop = async () => {
      await postgres.stop()
      await remove()
    }
    await trustSocket(dataDir, postgres.url)
    // Through a socket in the file system a query costs a quarter less than through the loopback interface.
    const url = new URL(postgres.url)
    url.searchParams.set('host', join(dataDir, 'postgres'))
    await fillTemplate(url.href).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return { url: url.href, stop }
  } catch (error) {
    await remove()
    throw error
  }
}
