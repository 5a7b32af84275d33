import type { GatewayName } from '@hedgerow/domain/gateways'
import { noteLost } from '#money/payments/exceptions/find-lost.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { findPayment } from '#money/payments/payments.queries.ts'
import { checkNow } from '#money/payments/updates/check-payments.ts'
import type { With } from '#platform/dependencies.ts'

export type NewsDependencies = With<'db' | 'keyCipher' | 'settings' | 'meters' | 'log'> &
  Pick<PaymentDependencies, 'statuses' | 'gateways'>

/**
 * A gateway says that there is news of a payment, and is asked which. Of another shop on the same account, or of something that
 * the shop does not keep, there is none. `ref`: the gateway's id of what it is about.
 */
export const takeNews = async (
  deps: NewsDependencies,
  gateway: GatewayName,
  { paymentId, ref }: { paymentId: string | undefined; ref: string | null },
): Promise<void> => {
  const payment = paymentId === undefined ? undefined : await findPayment(deps.db, paymentId)
  if (!payment && paymentId !== undefined && ref !== null) {
    const isLost = await noteLost(deps, gateway, { id: paymentId, ref })
    return deps.meters.calledBack(isLost ? 'unknown-payment' : 'nothing-new')
  }
  if (payment?.gateway !== gateway) return deps.meters.calledBack('nothing-new')
  await checkNow(deps, payment)
  deps.statuses.forget(payment.id)
  deps.meters.calledBack('applied')
}
