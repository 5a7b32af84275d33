import { readCallback } from '#money/gateway/gate/read-callback.ts'
import { noteUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { applyUpdate } from '#money/payments/updates/apply-update.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'keyCipher' | 'settings' | 'meters' | 'log'> & Pick<PaymentDependencies, 'statuses'>

/**
 * Applies a callback; the gateway repeats what is not answered with 200.
 * Throws 'callback-refused' for what it did not sign, or what is not about a payment of ours as it was asked for;
 * 'payment-not-found', also where there is no account with the Gate; and 'unavailable' for an update that has overtaken the one it builds on.
 */
export const takeCallback = async (deps: Deps, body: Record<string, unknown>): Promise<void> => {
  const { settings, meters, statuses, log } = deps
  const refuse = () => {
    meters.calledBack('refused')
    return new Problem('callback-refused')
  }
  if (!settings.gate) throw new Problem('payment-not-found')
  const read = readCallback(settings.gate, body)
  if (read.kind === 'refused') throw refuse()
  if (read.kind === 'nothing') return
  const { update } = read
  const outcome = await applyUpdate(deps, update)
  meters.calledBack(outcome)
  if (outcome === 'applied') statuses.forget(update.paymentId)
  if (outcome === 'unknown-payment') {
    await noteUnknown(deps, update)
    throw new Problem('payment-not-found')
  }
  if (outcome === 'too-early') throw new Problem('unavailable')
  if (outcome === 'does-not-match') {
    log.error({ paymentId: update.paymentId }, 'a signed callback does not match its payment')
    throw new Problem('callback-refused')
  }
}
