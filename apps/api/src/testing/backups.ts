import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { until } from '@hedgerow/testing/until'
import { Client } from 'pg'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { sign } from '#care/backup/signature.ts'
import { opsProgram, runOps } from '#testing/ops.ts'
import { cloneDatabase, emptyDatabase } from '#testing/test-database.ts'
import { newKey } from '#testing/test-shop.ts'

const run = promisify(execFile)

/** Of the shop that the files' backups are of. */
export const KEY = { KEY_ENCRYPTION_KEY: newKey() }

const newFolder = () => mkdtemp(join(tmpdir(), 'hedgerow-test-'))

export const aFolder = async (): Promise<string> => {
  const folder = await newFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const SOME = 2_000
export const addresses = (count: number) =>
  `insert into free_addresses (node_id, position)
    select id, n from nodes, generate_series(100001, ${100_000 + count}) as n`

const fill = `
  insert into customers (id, email, name, promocode, password_hash)
    select gen_random_uuid(), n || '@example.org', 'Ada', 'CODE' || n, 'x' from generate_series(1, 50) as n;
  ${addresses(SOME)}`

/** A filled database and a backup of it, for all tests of a file. */
export const backupOfFile = (): { readonly url: string; readonly file: string } => {
  let shop: Awaited<ReturnType<typeof cloneDatabase>> | undefined
  let folder = ''
  const path = () => join(folder, 'shop.backup')
  beforeAll(async () => {
    shop = await cloneDatabase()
    folder = await newFolder()
    const client = new Client({ connectionString: shop.url })
    await client.connect()
    await client.query(fill)
    await client.end()
    await run(process.execPath, [await opsProgram(), 'backup', path()], {
      env: { DATABASE_URL: shop.url, ...KEY },
    })
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await shop?.drop()
  })
  return {
    get url() {
      return shop?.url ?? ''
    },
    get file() {
      return path()
    },
  }
}

export const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** An empty database for a backup to go into. */
export const aTarget = async () => {
  const database = await emptyDatabase()
  onTestFinished(database.drop)
  const client = await connect(database.url)
  const settings = { DATABASE_URL: database.url, ...KEY }
  return {
    ...database,
    client,
    restore: (...args: string[]) => runOps(settings, 'restore', ...args),
    settings,
    /** Everything in it that was made. */
    things: async (): Promise<string[]> => {
      const { rows } = await client.query(`
        select nspname || '.' || relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and nspname not like 'pg\\_%'`)
      return rows.map(({ name }) => name)
    },
    count: async (table: string): Promise<number> =>
      Number((await client.query(`select count(*) from ${table}`)).rows[0].count),
  }
}

/** Waits until another session on the server is at a statement like this. */
export const isAt = async (client: Client, statement: string): Promise<unknown> =>
  until(async () => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and state = 'active' and query ilike $1
        and pid <> pg_backend_pid()`,
      [statement],
    )
    return rowCount
  })

export const NOBODY = 'nobody'
export const AS_IT_WAS = 'as it was'

/** The same file with other lines in it, whole again unless it is to be left as it is, and signed by a key, as it was or not at all. */
export const rewritten = async (
  file: string,
  change: (lines: string[]) => string[],
  { isWhole = true, signedBy = KEY.KEY_ENCRYPTION_KEY } = {},
): Promise<string> => {
  const lines = gunzipSync(await readFile(file))
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
  const changed = change(lines.slice(0, -1))
  const trailer = JSON.parse(lines.at(-1) ?? '')
  const body = `${changed.join('\n')}\n`
  if (isWhole) trailer.sha256 = createHash('sha256').update(body).digest('hex')
  if (signedBy === NOBODY) delete trailer.signature
  else if (signedBy !== AS_IT_WAS) trailer.signature = sign(Buffer.from(signedBy, 'base64'), trailer.sha256)
  const path = join(await aFolder(), 'changed.backup')
  await writeFile(path, gzipSync(`${body}${JSON.stringify(trailer)}\n`, { level: 1 }))
  return path
}
