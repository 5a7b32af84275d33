import type { Partnership } from '@hedgerow/contract/partnership'
import { listBalances } from '#partners/ledger/ledger.queries.ts'
import { presentPartnership } from '#partners/partnership/partnership.present.ts'
import { addReferralVisit, findPartner } from '#partners/partnership/partnership.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import type { PartnerSettings } from '#platform/settings.ts'

export { type BalanceRow, listBalances } from '#partners/ledger/ledger.queries.ts'

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
