import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findBinaries } from './binaries.ts'
import { freePort } from './ports.ts'
import { giveTo, runAs, serverUser } from './server-user.ts'

export type EmbeddedPostgres = {
  /** Connection URL of the maintenance database `postgres`. */
  url: string
  /** Ends the server; open connections are cut, with 'immediate' as a crash cuts them. Nothing when it has ended already. */
  stop: (mode?: 'fast' | 'immediate') => Promise<void>
}

export type EmbeddedOptions = {
  dataDir: string
  /** Where to listen, for a server that comes back where it was. Unset: any free port. */
  port?: number
  /** More server settings, for example { fsync: 'off' } for a test cluster that may be lost. */
  settings?: Readonly<Record<string, string>>
}

const USER = 'hedgerow'

const urlOf = (password: string, port: string | number) =>
  `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`

/** Where a server that already runs on the folder listens: the fourth line of its postmaster.pid. */
const runningPort = async (cluster: string): Promise<string | undefined> => {
  try {
    const [pid, , , port] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 0)
    return port
  } catch {
    return undefined
  }
}

/** The address of the server that runs on the folder, for a second program beside the shop. Undefined: none runs. */
export const findRunning = async (dataDir: string): Promise<string | undefined> => {
  const home = join(resolve(dataDir), 'postgres')
  const port = await runningPort(join(home, 'cluster'))
  return port && urlOf((await readFile(join(home, 'password'), 'utf8')).trim(), port)
}

/** The useful line of what a PostgreSQL program said when it failed. */
const reason = (error: unknown): string => {
  const { stderr, message } = error as { stderr?: string; message: string }
  return (
    stderr
      ?.split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .at(-1) ?? message
  )
}

/**
 * A real PostgreSQL server on the folder: made on first use, reused when a crash left it running, listening on a free
 * port of the loopback interface and asking for a password that only this user can read.
 */
export const startPostgres = async ({
  dataDir,
  port: wanted,
  settings = {},
}: EmbeddedOptions): Promise<EmbeddedPostgres> => {
  const user = serverUser()
  const binaries = await findBinaries(user)
  const home = join(resolve(dataDir), 'postgres')
  const cluster = join(home, 'cluster')
  const passwordFile = join(home, 'password')
  const logFile = join(home, 'log')

  const pgCtl = (...args: string[]) => runAs(user, binaries.pg_ctl, ['-D', cluster, ...args], home)

  await mkdir(home, { recursive: true })
  await giveTo(user, home)
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    // Made aside and moved, so that an interrupted first start leaves nothing that looks like a cluster.
    const unfinished = `${cluster}.new`
    await rm(unfinished, { recursive: true, force: true })
    await writeFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
    await giveTo(user, passwordFile)
    const options = ['-D', unfinished, '-U', USER, '-E', 'UTF8', '--locale=C.UTF-8', '--auth=scram-sha-256']
    await runAs(user, binaries.initdb, [...options, `--pwfile=${passwordFile}`], home).catch(
      (error: unknown) => {
        throw new Error(`PostgreSQL could not be set up in ${home}: ${reason(error)}`)
      },
    )
    await rename(unfinished, cluster)
  }

  const password = (await readFile(passwordFile, 'utf8')).trim()
  const stop = async (mode = 'fast') => {
    if (await runningPort(cluster)) await pgCtl('stop', '-m', mode, '-w').catch(() => undefined)
  }
  const alreadyAt = await runningPort(cluster)
  if (alreadyAt) return { url: urlOf(password, alreadyAt), stop }

  const port = wanted ?? (await freePort())
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    ...settings,
  }
  const flags = Object.entries(options).map(([name, value]) => `-c ${name}='${value}'`)
  await pgCtl('start', '-w', '-t', '60', '-l', logFile, '-o', flags.join(' ')).catch((error: unknown) => {
    throw new Error(`PostgreSQL did not start, see ${logFile}: ${reason(error)}`)
  })
  return { url: urlOf(password, port), stop }
}
