import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { checkLive } from '#money/payments/updates/check-payments.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

/**
 * Does what another attempt may stand in the way of. Where one does, the gateway is asked how that stands, and it is tried
 * once more: an attempt that is over at the gateway blocks no other. Only its own customer gets that far.
 */
export const retryAfterStatusCheck = async <T>(
  deps: Dependencies & PaymentDependencies,
  start: () => Promise<T>,
): Promise<T> => {
  try {
    return await start()
  } catch (error) {
    const isInTheWay = error instanceof Problem && error.kind === 'payment-under-way'
    if (!isInTheWay || !error.extras.paymentId) throw error
    await checkLive(deps, error.extras.paymentId)
    return start()
  }
}
