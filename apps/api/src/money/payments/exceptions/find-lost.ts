import { DAY_MS } from '@hedgerow/domain/dates'
import { GATEWAYS, type GatewayName } from '@hedgerow/domain/gateways'
import { type GatewayDependencies, gatewayOf, type PaymentRef } from '#money/gateway/gateway.ts'
import { listMissing } from '#money/payments/exceptions/unknown-payments.queries.ts'
import { noteUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db' | 'log'> & GatewayDependencies

/** Asks what a payment is that is not here, and keeps it where this shop began it. False where it did not, or there is no answer. */
export const noteLost = async (deps: Deps, gateway: GatewayName, payment: PaymentRef): Promise<boolean> => {
  const answer = await gatewayOf(deps.gateways, gateway).status(payment)
  if (answer.kind !== 'found' || answer.isForeign) return false
  await noteUnknown(deps, answer.update, { gateway, gateway_ref: payment.ref })
  return true
}

/** After a restore: backups are older than that only where nobody has looked for long. */
const DAYS = 7
const MOST_ASKED = 100

/** Looks in the lists of those gateways that have them for paid payments that are not here, and keeps them for an operator. */
export const findLost = async (deps: Deps): Promise<void> => {
  const since = new Date(Date.now() - DAYS * DAY_MS)
  for (const name of GATEWAYS) {
    const paid = (await deps.gateways[name]?.paidSince?.(since)) ?? []
    const missing = new Set(
      await listMissing(
        deps.db,
        paid.map(({ id }) => id),
      ),
    )
    const lost = paid.filter(({ id }) => missing.has(id))
    for (const payment of lost.slice(0, MOST_ASKED)) await noteLost(deps, name, payment)
  }
}
