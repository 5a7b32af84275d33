import type { GatewayName } from '@hedgerow/domain/gateways'
import {
  type Acceptance,
  type Claim,
  type Gateway,
  type GatewayDependencies,
  gatewayOf,
} from '#money/gateway/gateway.ts'
import { checkAgain } from '#money/gateway/status-checks.ts'
import {
  type Claimed,
  listClaimed,
  mayBeMade,
  setClaim,
  setWaiting,
  takeTurn,
} from '#money/refunds/claims.queries.ts'
import { paidSum } from '#money/refunds/paid-sum.ts'
import { findRefund } from '#money/refunds/refunds.queries.ts'
import { applyRefundUpdates, queueDrop, wireId } from '#money/refunds/refunds.service.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'

type Deps = With<'db' | 'log'> & GatewayDependencies

/**
 * A gateway where refunds are claimed has no key that makes a repeat safe: what an earlier call has made is looked for, and
 * nothing is made while that call may be under way. Undefined: it is to be made now.
 */
export const madeBefore = async (
  db: Db,
  { claim }: Gateway,
  refundId: string,
  currency: string,
): Promise<Acceptance | undefined> => {
  if (!claim) return undefined
  const found = await claim({ id: wireId(refundId), ref: null, currency })
  if (found.kind === 'refused') return found
  if (found.kind === 'found')
    return { kind: 'accepted', requestId: found.claim.ref, claimUrl: found.claim.url }
  if (found.kind !== 'unseen')
    return { kind: 'unknown', reason: found.kind === 'unknown' ? found.reason : found.kind }
  return (await takeTurn(db, refundId))
    ? undefined
    : { kind: 'unknown', reason: 'an earlier call may be under way' }
}

/** It waits for the customer now, who is told where to claim it. One that was given up meanwhile is taken back. */
export const noteClaim = (db: Db, refundId: string, ref: string, url: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const noted = await setClaim(trx, refundId, ref, url)
    if (!noted) return
    if (noted.status !== 'Pending') return queueDrop(trx, refundId)
    await addJob(trx, 'mail-refund-claim', { refundId })
    await checkAgain(trx, noted.payment_id)
  })

const noteWaiting = (db: Db, refundId: string, isWaiting: boolean): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const isNews = await setWaiting(trx, refundId, isWaiting)
    if (isNews && isWaiting) await addJob(trx, 'mail-refund-by-hand', { refundId })
  })

/**
 * What became of a claim. All of it paid, or what of it was paid before it was taken back, is a refund that has succeeded;
 * also of one that was said to be sent another way, or not to be owed.
 */
const applyClaim = async (
  deps: With<'db' | 'log'>,
  payment: { id: string; currency: string },
  refund: Claimed,
  { ref, isClosed, isMoving, isWaiting, sentMinor }: Claim,
): Promise<void> => {
  const isSent = sentMinor >= refund.amount_minor || (isClosed && !isMoving && sentMinor > 0)
  const isOver = isClosed && !isMoving && refund.status === 'Pending'
  if (!isSent && !isOver) return noteWaiting(deps.db, refund.id, isWaiting)
  await applyRefundUpdates(deps, payment.id, [
    {
      operationId: isSent ? ref : undefined,
      requestId: ref,
      refundId: wireId(refund.id),
      status: isSent ? 'success' : 'decline',
      amountMinor: isSent ? sentMinor : refund.amount_minor,
      currency: payment.currency,
      code: isSent ? undefined : 'archived',
    },
  ])
}

/** Asks how the claims of a payment stand. False where the gateway did not answer. */
export const checkClaims = async (
  deps: Deps,
  payment: { id: string; gateway: GatewayName },
): Promise<boolean> => {
  const { claim } = gatewayOf(deps.gateways, payment.gateway)
  if (!claim) return true
  let isAnswered = true
  for (const refund of await listClaimed(deps.db, payment.id)) {
    const row = await findRefund(deps.db, refund.id)
    if (!row) continue
    const { currency } = paidSum(row)
    const answer = await claim({ id: wireId(refund.id), ref: refund.gate_request_id, currency })
    if (answer.kind === 'found') await applyClaim(deps, { id: payment.id, currency }, refund, answer.claim)
    else if (answer.kind === 'unknown') isAnswered &&= !answer.isSilent
    else
      deps.log.error(
        { paymentId: payment.id, refundId: refund.id, kind: answer.kind },
        'a claim cannot be read',
      )
  }
  return isAnswered
}

/**
 * Takes back what can still be claimed of a refund that is no longer to be made, and learns what was paid of it nevertheless.
 * Throws until that is known, so that the job comes again.
 */
export const dropClaim = async (deps: Deps, refundId: string): Promise<void> => {
  const refund = await findRefund(deps.db, refundId)
  if (!refund || refund.status === 'Pending') return
  const gateway = gatewayOf(deps.gateways, refund.gateway)
  const { currency } = paidSum(refund)
  const ask = () => gateway.claim?.({ id: wireId(refundId), ref: refund.gate_request_id, currency })
  const answer = await ask()
  if (answer?.kind === 'unseen' && !(await mayBeMade(deps.db, refundId))) return
  if (answer?.kind !== 'found') throw new Error(`a claim could not be looked for: ${answer?.kind}`)
  if (!answer.claim.isClosed) {
    const dropped = await gateway.dropClaim?.(answer.claim.ref)
    if (dropped?.kind !== 'accepted') throw new Error(`a claim could not be taken back: ${dropped?.kind}`)
  }
  const after = await ask()
  if (after?.kind !== 'found' || !after.claim.isClosed || after.claim.isMoving)
    throw new Error('a claim is not taken back yet')
  await applyClaim(deps, { id: refund.payment_id, currency }, { ...refund, claimed_at: null }, after.claim)
}
