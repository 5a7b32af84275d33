import { isFinal, statusesThatWaitFor } from '@hedgerow/domain/payment-status'
import { type GatewayDependencies, gatewayOf, PAGE_OPEN_S, refOf } from '#money/gateway/gateway.ts'
import type { PaymentUpdate } from '#money/gateway/payment-update.ts'
import {
  checkAgain,
  type DueCheck,
  isOlderThan,
  putBackCheck,
  stopChecks,
  takeDueChecks,
} from '#money/gateway/status-checks.ts'
import { findPayment } from '#money/payments/payments.queries.ts'
import { applyUpdate, endAsError } from '#money/payments/updates/apply-update.ts'
import { checkClaims } from '#money/refunds/claims.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db' | 'keyCipher' | 'settings' | 'meters' | 'log'> & GatewayDependencies

const AT_ONCE = 20
/** What is due beyond that waits for the next run, a few seconds later. */
const MOST_IN_A_RUN = 1_000
/** An attempt that the gateway has not seen after so long never will be: only a crash left it. */
const UNSEEN_AFTER_S = 60
/** No request is under way for so long. */
const NEVER_AFTER_S = 86_400
const NEVER_SEEN = '3061'

const WAITS_FOR_GATEWAY = statusesThatWaitFor('gateway')

/** A status answer tells all there is: where it knows of no sale, and all has gone back, nothing was bought. */
const asWhole = (update: PaymentUpdate): PaymentUpdate =>
  update.isRefundOnly && isFinal(update.status)
    ? { ...update, status: 'Decline', refunds: [], isRefundOnly: false }
    : update

/** A payment has a next action before the gateway has seen it only where the gateway's Payment Page is used. */
const seenAfter = async ({ db }: Deps, id: string): Promise<number> =>
  (await findPayment(db, id))?.status === 'awaiting redirect result'
    ? PAGE_OPEN_S + UNSEEN_AFTER_S
    : UNSEEN_AFTER_S

/** Asks the gateway how one payment stands, and applies what it says. False where the gateway did not answer. */
const checkPayment = async (deps: Deps, due: DueCheck): Promise<boolean> => {
  const { id, answered } = due
  const answer = await gatewayOf(deps.gateways, due.gateway).status(refOf(due))
  if (answer.kind === 'unknown') return !answer.isSilent
  if (answer.kind === 'unseen') {
    if (await isOlderThan(deps.db, id, await seenAfter(deps, id))) await endAsError(deps, id, NEVER_SEEN)
    if (await isOlderThan(deps.db, id, NEVER_AFTER_S)) await stopChecks(deps.db, due)
    return true
  }
  const outcome =
    answer.kind === 'found' ? await applyUpdate(deps, asWhole(answer.update), answered) : 'does-not-match'
  if (outcome === 'does-not-match')
    deps.log.error({ paymentId: id }, "the gateway's status does not match the payment")
  if (!(await checkClaims(deps, due))) return false
  await stopChecks(deps.db, due)
  return true
}

/** There is news of it. Where the gateway does not answer now, the checks go on at once. */
export const checkNow = async (deps: Deps, payment: DueCheck): Promise<void> => {
  if (!(await checkPayment(deps, payment))) await checkAgain(deps.db, payment.id, 0)
}

/**
 * Asks the gateway once about an attempt that stands in the way of another, and that waits for the gateway: it may be over
 * there. What waits for the customer can be left without asking. The checks go on as before.
 */
export const checkLive = async (deps: Deps, id: string): Promise<void> => {
  const row = await findPayment(deps.db, id)
  if (row && WAITS_FOR_GATEWAY.includes(row.status)) await checkPayment(deps, row)
}

/**
 * Asks the gateway about payments and refunds of which no callback has reported the end: 10 s, 20 s, 40 s … a day. Several at
 * once, so that a gateway that is slow to answer for one does not keep the others waiting; as many silences in a row end the
 * run, and what was not asked keeps its place.
 */
export const checkPayments = async (deps: Deps): Promise<void> => {
  // Each that looks takes a connection: while nothing is due, one looks.
  const taken = await takeDueChecks(deps.db, 1)
  if (taken.length === 0) return
  let asked = 0
  let silences = 0
  const askOn = async (): Promise<void> => {
    while (asked < MOST_IN_A_RUN && silences < AT_ONCE) {
      asked++
      const due = taken.pop() ?? (await takeDueChecks(deps.db, 1))[0]
      if (!due) return
      const isAnswered = await checkPayment(deps, due).catch((error: unknown) => {
        deps.log.error({ paymentId: due.id, err: error }, 'a payment could not be checked')
        return true
      })
      if (!isAnswered) await putBackCheck(deps.db, due)
      silences = isAnswered ? 0 : silences + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askOn))
}
