import type { OperatorRole } from '@hedgerow/domain/operator-roles'
import { BackupFault } from '#care/backup/backup-fault.ts'
import { forgetPassing, isShopConnected } from '#care/backup/catalogue.queries.ts'
import { tryKeys } from '#care/keys/shops-keys.ts'
import { resyncAgents } from '#network/agents/resync-agents.ts'
import { endAfterRestore } from '#people/credentials/end-after-restore.ts'
import { listOperatorRows } from '#people/operators/operators.service.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { freeJobs, renewLinkJobs } from '#platform/queue/kept-jobs.ts'
import {
  getNextNumber,
  type NextNumber,
  type NumberSeries,
  SERIES,
  setNextNumber,
  type WantedNumber,
} from '#sales/invoices/next-number.ts'

export type OlderState = {
  /** Undefined: whether it opens what was sealed is not looked at. */
  keyCipher: KeyCipher | undefined
  /** The number of the next document of each series, where some were sent since. */
  numbersFrom: Partial<Record<NumberSeries, WantedNumber | undefined>>
  /** Whether its operator says that nothing can have been withdrawn since. */
  keepsWaysIn: boolean
}

/** Whether the key opens what the shop has sealed, if that was to be looked at. */
export type TriedKey = 'opens' | 'nothing-to-try' | 'not-tried'

const tryKey = async (trx: Trx, keyCipher: KeyCipher | undefined): Promise<TriedKey> => {
  const outcome = keyCipher ? (await tryKeys({ db: trx, keyCipher })).kind : 'not-tried'
  if (outcome === 'does-not-open')
    throw new BackupFault('KEY_ENCRYPTION_KEY is not the key that this backup was encrypted with.')
  return outcome
}

const numberFrom = async (
  trx: Trx,
  series: NumberSeries,
  wanted: WantedNumber | undefined,
): Promise<NextNumber> => {
  const outcome = wanted && (await setNextNumber(trx, wanted, series))
  if (outcome?.kind === 'refused') {
    const { many, numberOf } = SERIES[series]
    const { year, last } = outcome
    throw new BackupFault(
      `The backup holds ${many} up to ${numberOf(year, last)}, so the next one cannot be ${numberOf(year, wanted?.number ?? 0)}.`,
    )
  }
  return getNextNumber(trx, wanted?.year, series)
}

/** What is known of the shop that now is. */
export type Restored = {
  key: TriedKey
  next: Record<NumberSeries, NextNumber>
  /** Those of then, who get in again only by a new link. Undefined where ways in were kept. */
  operators: { name: string; role: OperatorRole }[] | undefined
  /** Names of those of then. */
  nodes: string[]
}

const operatorsOf = async (trx: Trx) =>
  (await listOperatorRows(trx))
    .filter(({ ended_at }) => ended_at === null)
    .map(({ name, role }) => ({ name, role }))

const nodesOf = async (trx: Trx): Promise<string[]> => {
  const nodes = trx.selectFrom('nodes').select('name').where('removed_at', 'is', null)
  return (await nodes.orderBy('name').execute()).map(({ name }) => name)
}

/** What has to be of every shop that goes back to an older state, however it came there. */
export const resumeFromOlderState = async (
  trx: Trx,
  { keyCipher, numbersFrom, keepsWaysIn }: OlderState,
  event: 'restored' | 'point in time',
): Promise<Restored> => {
  const key = await tryKey(trx, keyCipher)
  const next = {
    invoices: await numberFrom(trx, 'invoices', numbersFrom.invoices),
    'credit-notes': await numberFrom(trx, 'credit-notes', numbersFrom['credit-notes']),
    commissions: await numberFrom(trx, 'commissions', numbersFrom.commissions),
  }
  await resyncAgents(trx)
  await forgetPassing(trx)
  if (!keepsWaysIn) await renewLinkJobs(trx)
  await endAfterRestore(trx, keepsWaysIn ? 'unchanged since' : event)
  return { key, next, operators: keepsWaysIn ? undefined : await operatorsOf(trx), nodes: await nodesOf(trx) }
}

/**
 * Makes a database that was brought back by the server's own means (a point in time, a snapshot, a dump) a shop again, as
 * a restored backup is. All or nothing. Throws a BackupFault.
 */
export const resumeRecovered = async (db: Db, state: OlderState): Promise<Restored> => {
  if (await isShopConnected(db))
    throw new BackupFault('A shop is connected to this database. Stop all its processes first.')
  return db.transaction().execute(async (trx) => {
    await freeJobs(trx)
    return resumeFromOlderState(trx, state, 'point in time')
  })
}
