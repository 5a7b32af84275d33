import { randomUUID } from 'node:crypto'
import { PRICE_SETTINGS, type PriceValues } from '@hedgerow/domain/price-settings'
import type { Db, Trx } from '#platform/database/client.ts'
import { Problem } from '#platform/http/problems.ts'
import {
  addChangeJob,
  listChangesToCome,
  makeDueChanges,
  secondsUntil,
  takeBackChange,
} from '#platform/queue/changes-to-come.ts'
import { putRunningSetting } from '#platform/running-settings/running-settings.queries.ts'

/** All in one order, so that two who change several at once do not wait for each other. */
const put = async (trx: Trx, prices: PriceValues, operatorId: string | null): Promise<void> => {
  for (const name of PRICE_SETTINGS) {
    const price = prices[name]
    if (price !== undefined) await putRunningSetting(trx, name, price, operatorId)
  }
}

export const listPriceChanges = (db: Db) => listChangesToCome(db, 'price_changes')

export type PricesChanged = { id: string | null; isDone: boolean }

/** Makes them count now, or from a moment to come; a moment that has passed is now. What is left out stays as it is then. */
export const changePrices = (
  db: Db,
  prices: PriceValues,
  dueAt: Date | undefined,
  operatorId: string | null,
): Promise<PricesChanged> =>
  db.transaction().execute(async (trx) => {
    if (!dueAt || (await secondsUntil(trx, dueAt)) <= 0) {
      await put(trx, prices, operatorId)
      return { id: null, isDone: true }
    }
    const id = randomUUID()
    const row = { id, prices: JSON.stringify(prices), due_at: dueAt, operator_id: operatorId, ended_at: null }
    await trx.insertInto('price_changes').values(row).execute()
    await addChangeJob(trx, 'price_changes', row)
    return { id, isDone: false }
  })

/** At its moment, once. */
export const makePriceChange = ({ db }: { db: Db }, changeId: string): Promise<void> =>
  db
    .transaction()
    .execute((trx) =>
      makeDueChanges(trx, 'price_changes', changeId, (row) => put(trx, row.prices, row.operator_id)),
    )

/** Throws 'change-not-found' where it was made or taken back before. */
export const dropPriceChange = async (db: Db, changeId: string): Promise<void> => {
  if (!(await takeBackChange(db, 'price_changes', changeId))) throw new Problem('change-not-found')
}
