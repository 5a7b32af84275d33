import { type GoodwillCause, goodwillLeft } from '@hedgerow/domain/goodwill'
import { lockConnections } from '#network/connections/connections.service.ts'
import { touchPeers } from '#network/nodes/peers.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { addGiven, isCutOff, readGiven } from '#sales/renewals/renewals.queries.ts'

type Gift = {
  connectionId: string
  days: number
  reason: GoodwillCause
  /** Null: in the tool's shell. */
  operatorId: string | null
  mayMore: boolean
  /** So many days once more are meant. */
  isAgain: boolean
}

type Answer =
  | { kind: 'given' | 'same'; end: Date }
  | { kind: 'gone' | 'endless' | 'cut-off' }
  | { kind: 'too-many'; left: number }

/**
 * Adds days to a connection, once: the same number again within a day has to be meant. Nothing is owed for them, and they
 * stand as long as a payment for the connection does.
 */
export const giveDays = ({ db }: With<'db'>, gift: Gift): Promise<Answer> =>
  db.transaction().execute(async (trx): Promise<Answer> => {
    const { connectionId, days, mayMore, isAgain } = gift
    const [row] = await lockConnections(trx, [connectionId])
    if (!row) return { kind: 'gone' }
    if (row.expires_at === null) return { kind: 'endless' }
    if (await isCutOff(trx as Db, connectionId)) return { kind: 'cut-off' }
    const given = await readGiven(trx, connectionId, days)
    if (given.has_same && !isAgain) return { kind: 'same', end: row.expires_at }
    const left = goodwillLeft({ ofMonth: given.of_month, ofYear: given.of_year }, mayMore)
    if (days > left) return { kind: 'too-many', left }
    const end = await addGiven(trx, gift)
    await touchPeers(trx, [connectionId])
    return { kind: 'given', end }
  })
