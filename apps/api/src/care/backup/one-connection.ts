import { Kysely, PostgresDialect } from 'kysely'
import { escapeIdentifier, type Pool, type PoolClient } from 'pg'
import { from, to } from 'pg-copy-streams'
import type { BackupTable } from '#care/backup/backup-format.ts'
import type { Db } from '#platform/database/client.ts'
import type { Database } from '#platform/database/schema.ts'

/** Queries and copies on one and the same connection, so that they share its transaction. */
export type OneConnection = {
  db: Db
  client: PoolClient
  copyOut: (source: string) => AsyncIterable<Buffer>
  copyIn: (target: string) => ReturnType<typeof from>
}

const onOneConnection = (client: PoolClient): OneConnection => {
  const lent = new Proxy(client, {
    // Released by the lender, not by Kysely.
    get: (target, name) => (name === 'release' ? () => undefined : Reflect.get(target, name, target)),
  })
  const pool = { options: {}, connect: async () => lent, end: async () => undefined }
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }),
    client,
    copyOut: (source) => client.query(to(`copy ${source} to stdout`)),
    copyIn: (target) => client.query(from(`copy ${target} from stdin`)),
  }
}

const CANCEL_EVERY_MS = 200

/** Lends a connection. On abort its running statement is cancelled in the database, so that nothing waits for it. */
export const withOneConnection = async <T>(
  pool: Pool,
  signal: AbortSignal,
  use: (connection: OneConnection) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect()
  let cancelling: NodeJS.Timeout | undefined
  try {
    // Statements of the shop may take seconds, those of a backup as long as its tables are large.
    await client.query('set statement_timeout = 0')
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const cancel = () => {
      // Between two statements there is nothing to end: the next one is met by the next call.
      cancelling = setInterval(
        () => void pool.query('select pg_cancel_backend($1)', [rows[0].pid]).catch(() => undefined),
        CANCEL_EVERY_MS,
      )
    }
    signal.throwIfAborted()
    signal.addEventListener('abort', cancel, { once: true })
    return await use(onOneConnection(client)).finally(() => signal.removeEventListener('abort', cancel))
  } finally {
    clearInterval(cancelling)
    // An interrupted copy leaves the connection in the middle of an answer.
    client.release(true)
  }
}

/** A table with the columns that are copied, as COPY names it. */
export const copyName = ({ name, columns }: BackupTable): string =>
  `${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')})`
