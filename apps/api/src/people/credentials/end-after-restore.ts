import { sql } from 'kysely'
import { CREDENTIALS, type Credential } from '#people/credentials/credentials.ts'
import { lockEveryPassword } from '#people/passwords/locked-passwords.ts'
import type { Trx } from '#platform/database/client.ts'

export type RestoreEvent = 'restored' | 'point in time' | 'unchanged since'

const RESTORE_EVENTS: readonly RestoreEvent[] = ['restored', 'point in time', 'unchanged since']

/** Tables of which no row outlives a restore, whatever its operator says: no backup holds them. */
export const NOT_IN_BACKUPS: readonly string[] = CREDENTIALS.filter(
  ({ isRow, endingRows, events }) =>
    isRow && !endingRows && RESTORE_EVENTS.every((event) => events[event] === 'ends'),
).map(({ table }) => table)

const endOne = async (trx: Trx, { table, columns, isRow, endingRows }: Credential): Promise<void> => {
  const which = sql.raw(endingRows ?? 'true')
  if (isRow) await sql`delete from ${sql.table(table)} where ${which}`.execute(trx)
  else {
    const empty = sql.join(columns.map((column) => sql`${sql.ref(column)} = default`))
    await sql`update ${sql.table(table)} set ${empty} where ${which}`.execute(trx)
  }
}

/** The shop has gone back to an older state: what may have been withdrawn since opens nothing, as the table says. */
export const endAfterRestore = async (trx: Trx, event: RestoreEvent): Promise<void> => {
  for (const credential of CREDENTIALS) {
    const fate = credential.events[event]
    if (fate === 'ends') await endOne(trx, credential)
    if (fate === 'waits') await lockEveryPassword(trx)
  }
}
