import type { Partnership } from '@hedgerow/contract/partnership'
import type { With } from '#dependencies.ts'
import { Problem } from '#http/problems.ts'
import { listBalances } from '#partnership/ledger.queries.ts'
import { presentPartnership } from '#partnership/partnership.present.ts'
import { addReferralVisit, findPartner } from '#partnership/partnership.queries.ts'
import type { PartnerSettings } from '#settings.ts'

export { type BalanceRow, listBalances } from '#partnership/ledger.queries.ts'

export const getPartnership = async (
  { db, settings }: With<'db'> & { settings: PartnerSettings },
  customerId: string,
): Promise<Partnership> => {
  const row = await findPartner(db, customerId)
  if (!row) throw new Problem('not-signed-in')
  return presentPartnership(row, await listBalances(db, customerId), settings)
}

/** Says nothing of whether the code exists. */
export const countReferralVisit = async ({ db }: With<'db'>, code: string): Promise<void> => {
  await addReferralVisit(db, code)
}
