import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool } from 'pg'
import { keepStatements } from '#database/prepared.ts'
import type { Database } from '#database/schema.ts'

export type Db = Kysely<Database>
/** What must happen whole or not at all asks for this, so that without a transaction it does not compile. */
export type Trx = Transaction<Database>

export type OpenDatabase = { db: Db; pool: Pool }

/** A pool of connections; each lane of jobs keeps one of them. `onError` hears of connections that the server cut; without it such a cut ends the process. */
export const openDatabase = (url: string, onError: (error: Error) => void, size = 20): OpenDatabase => {
  const pool = new Pool({ connectionString: url, max: size, application_name: 'hedgerow' })
  // The end of the pool does not wait until its connections are shut: what the server says to them then is no loss.
  const onLost = (error: Error) => {
    if (!pool.ending) onError(error)
  }
  pool.on('error', onLost)
  pool.on('connect', (client) => {
    client.on('error', onLost)
    keepStatements(client)
  })
  return { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), pool }
}
