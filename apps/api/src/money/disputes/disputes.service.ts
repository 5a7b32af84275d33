import { canTransitionDispute, type DisputeStatus } from '@hedgerow/domain/dispute-status'
import {
  type DisputeAnswer,
  endConnections,
  getDispute,
  type Loss,
  lose,
  type NewDispute,
  openNew,
  refuse,
  reopen,
  reverse,
  whyNot,
  win,
} from '#money/disputes/dispute-steps.ts'
import { findDispute, listDisputesOf, markAnswered } from '#money/disputes/disputes.queries.ts'
import { hasMoney, leftOf } from '#money/refunds/paid-sum.ts'
import { type LockedPayment, lockPayment } from '#money/refunds/refunds.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { DisputeRow } from '#platform/database/tables/disputes.table.ts'
import type { With } from '#platform/dependencies.ts'

export {
  type DisputeFacts,
  disputeOrder,
  findDisputeFacts,
  hasOpen as hasOpenDispute,
  listDisputesOf,
  selectDisputes,
} from '#money/disputes/disputes.queries.ts'

type Deps = With<'db'>

type Same = { of: DisputeStatus; dispute: DisputeRow }

/** One that is open is the same, unless another sum is named; one that was won, by its sum. */
const sameAs = (
  disputes: readonly DisputeRow[],
  payment: LockedPayment,
  amountMinor: number | undefined,
): Same | undefined => {
  const isOfSum = (dispute: DisputeRow) => amountMinor === undefined || dispute.amount_minor === amountMinor
  const open = disputes.findLast((dispute) => dispute.status === 'open' && isOfSum(dispute))
  if (open) return { of: 'open', dispute: open }
  const ended = disputes.findLast(isOfSum)
  if (ended?.status === 'won') return { of: 'won', dispute: ended }
  // All of it has been lost.
  return ended?.status === 'lost' && (amountMinor !== undefined || leftOf(payment) === 0)
    ? { of: 'lost', dispute: ended }
    : undefined
}

const judgeSame = (
  { of, dispute }: Same,
  payment: LockedPayment,
  { isAgain, amountMinor }: NewDispute,
): DisputeAnswer | 'reopen' | 'another' => {
  if (!isAgain) return { kind: 'known', dispute }
  if (of === 'open') return { kind: 'known', dispute }
  if (of === 'lost') return amountMinor === undefined ? refuse('lost-is-final') : 'another'
  const why = whyNot(payment, dispute.amount_minor)
  return why ? refuse(why) : 'reopen'
}

/**
 * Records that a card holder's bank wants money back, which the gateway takes at once: until it is decided no one else gives
 * it back. Once: said again it is known, unless `isAgain` says that one which was won goes on.
 */
export const openDispute = ({ db }: Deps, wish: NewDispute): Promise<DisputeAnswer> =>
  db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, wish.paymentId)
    if (!payment) return refuse('no-payment')
    if (!hasMoney(payment)) return refuse({ code: 'not-paid', status: payment.status })
    const same = sameAs(await listDisputesOf(trx, [payment.id]), payment, wish.amountMinor)
    const judged = same ? judgeSame(same, payment, wish) : 'another'
    if (typeof judged === 'object') return judged
    const answer: DisputeAnswer =
      same && judged === 'reopen'
        ? { kind: 'recorded', dispute: await reopen(trx, same.dispute, wish) }
        : await openNew(trx, payment, wish)
    if (answer.kind === 'refused' || !wish.endConnections) return answer
    await endConnections(trx, answer.dispute)
    return { kind: 'recorded', dispute: await getDispute(trx, answer.dispute.id) }
  })

/** The dispute and its payment, locked in the order in which everyone locks them. */
const lockDispute = async (trx: Trx, id: string) => {
  const seen = await findDispute(trx, id)
  const payment = seen && (await lockPayment(trx, seen.payment_id))
  if (!payment) return undefined
  return { payment, dispute: await getDispute(trx, id) }
}

/** The gateway has given the money back to us. Connections that were ended stay so. */
export const winDispute = ({ db }: Deps, id: string): Promise<DisputeAnswer> =>
  db.transaction().execute(async (trx) => {
    const locked = await lockDispute(trx, id)
    if (!locked) return refuse('no-dispute')
    const { dispute } = locked
    if (dispute.status === 'won') return { kind: 'known', dispute }
    if (dispute.status === 'lost') return refuse('lost-is-final')
    if (!canTransitionDispute(dispute.status, 'won'))
      return refuse({ code: 'ended-before', status: dispute.status })
    await win(trx, dispute)
    return { kind: 'recorded', dispute: await getDispute(trx, id) }
  })

/** The money is gone for good: it is booked as given back, in one transaction with all that follows from that. */
export const loseDispute = ({ db }: Deps, id: string, loss: Loss): Promise<DisputeAnswer> =>
  db.transaction().execute(async (trx) => {
    const locked = await lockDispute(trx, id)
    if (!locked) return refuse('no-dispute')
    const { dispute } = locked
    if (dispute.status === 'lost') return { kind: 'known', dispute }
    if (dispute.status === 'won') return refuse('won-before')
    if (!canTransitionDispute(dispute.status, 'lost'))
      return refuse({ code: 'ended-before', status: dispute.status })
    if (loss.connections === 'keep' && dispute.connections_ended) return refuse('connections-have-ended')
    await lose(trx, dispute, loss)
    return { kind: 'recorded', dispute: await getDispute(trx, id) }
  })

/** What was lost has been decided for the shop after all: the gateway has given the money back for good. */
export const reverseDispute = ({ db }: Deps, id: string): Promise<DisputeAnswer> =>
  db.transaction().execute(async (trx) => {
    const locked = await lockDispute(trx, id)
    if (!locked) return refuse('no-dispute')
    const { dispute, payment } = locked
    if (dispute.status === 'reversed') return { kind: 'known', dispute }
    if (!canTransitionDispute(dispute.status, 'reversed'))
      return refuse({ code: 'not-lost', status: dispute.status })
    const why = await reverse(trx, payment, dispute)
    return why ? refuse(why) : { kind: 'recorded', dispute: await getDispute(trx, id) }
  })

/** The operator has sent the gateway the evidence: nothing is to be done until it is decided. */
export const answerDispute = async ({ db }: Deps, id: string): Promise<DisputeAnswer> => {
  const isNew = await markAnswered(db, id)
  const dispute = await findDispute(db, id)
  if (!dispute) return refuse('no-dispute')
  if (!isNew && dispute.status !== 'open') return refuse({ code: 'ended-before', status: dispute.status })
  return { kind: isNew ? 'recorded' : 'known', dispute }
}
