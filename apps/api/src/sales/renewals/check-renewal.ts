import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { type Features, fromMask } from '@hedgerow/domain/pricing'
import { isRenewable, listNames, missingOptionsOf } from '@hedgerow/domain/renewals'
import type { Db } from '#platform/database/client.ts'
import { invalidField } from '#platform/http/problems.ts'
import { findChosen } from '#sales/renewals/renewals.queries.ts'

/** Throws 'invalid' where an order may not extend these connections: for another's as for one that there never was. */
export const checkRenewal = async (
  db: Db,
  customerId: string,
  ids: readonly string[],
  features: Features,
  isPlan = false,
): Promise<void> => {
  if (ids.length === 0) return
  const chosen = await findChosen(db, customerId, ids)
  const areRenewable = chosen.every((row) =>
    isRenewable({ expiresAt: row.expires_at, isRevoked: Boolean(row.is_revoked) }),
  )
  if (chosen.length < ids.length || !areRenewable) throw invalidField('renew', OUR_MESSAGES.renew)
  const connections = chosen.map(({ name, options }) => ({ name, features: fromMask(options) }))
  const missing = missingOptionsOf(features, connections)
  if (missing.length === 0) return
  const names = listNames(missing.map(({ name }) => name))
  if (isPlan) throw invalidField('renew', OUR_MESSAGES.renewByPlan(names))
  throw invalidField('features', OUR_MESSAGES.renewOptions(names))
}
