import { listUnknownIds } from '#accounting/settlement/operations.queries.ts'
import type { GatewayDependencies } from '#money/gateway/gateway.ts'
import { noteUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import type { With } from '#platform/dependencies.ts'

const MOST_ASKED = 100

/**
 * A report names payments that are not here: the gateway is asked about them, and they are kept as if it had called back, so that
 * an operator can adopt or refund them. A gateway that is silent is asked again at the next run.
 */
export const askAboutUnknown = async (
  deps: With<'db' | 'log' | 'settings'> & GatewayDependencies,
): Promise<void> => {
  for (const id of await listUnknownIds(deps.db, MOST_ASKED)) {
    const answer = await deps.gateways.gate.status({ id, ref: null })
    if (answer.kind === 'unknown' && answer.isSilent) return
    const update = answer.kind === 'found' ? answer.update : undefined
    if (update?.paymentId === id) await noteUnknown(deps, update)
  }
}
