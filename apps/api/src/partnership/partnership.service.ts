import type { Partnership } from '@hedgerow/contract/partnership'
import type { Dependencies } from '#dependencies.ts'
import { Problem } from '#problems.ts'
import type { Settings } from '../settings.ts'
import { listBalances } from './ledger.queries.ts'
import { presentPartnership } from './partnership.present.ts'
import { addReferralVisit, findPartner } from './partnership.queries.ts'

type With<K extends keyof Dependencies> = Pick<Dependencies, K>

export const getPartnership = async (
  { db, settings }: With<'db'> & { settings: Pick<Settings, 'publicUrl' | 'partnerHoldDays'> },
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
