import { disputeRefusalText } from '@hedgerow/domain/dispute-refusals'
import { type DisputeStatus, groupOfReason, respondBy, wayOfDispute } from '@hedgerow/domain/dispute-status'
import type { GatewayName } from '@hedgerow/domain/gateways'
import {
  type DisputeAnswer,
  getDispute,
  lose,
  openNew,
  reopen,
  reverse,
  whyNot,
  win,
} from '#money/disputes/dispute-steps.ts'
import { isSaleOf, listDisputesOf, noteGateway } from '#money/disputes/disputes.queries.ts'
import { forgetUnfiled, keepUnfiled } from '#money/disputes/hints.queries.ts'
import type { Chargeback, SharedChargeback } from '#money/gateway/chargeback.ts'
import { askAbout } from '#money/gateway/status-checks.ts'
import { hasMoney, paidSum } from '#money/refunds/paid-sum.ts'
import { type LockedPayment, lockPayment } from '#money/refunds/refunds.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { DisputeRow } from '#platform/database/tables/disputes.table.ts'
import type { With } from '#platform/dependencies.ts'

/** What became of a chargeback that the gateway reported. */
export type Filed = 'new' | 'changed' | 'known' | 'unfiled'

/** It books nothing that an accountant would have to undo: a loss comes with a credit note, as a refund does. */
const LOSS = { vat: 'credit-note' } as const

/** By the gateway's id; else one that the operator opened before the gateway reported it. */
const disputeFor = (
  disputes: readonly DisputeRow[],
  { gateId, amountMinor }: Chargeback,
): DisputeRow | undefined =>
  disputes.find(({ gate_id }) => gate_id === gateId) ??
  disputes.find(({ gate_id, amount_minor }) => gate_id === null && amount_minor === amountMinor)

const move = async (
  trx: Trx,
  payment: LockedPayment,
  dispute: DisputeRow,
  to: DisputeStatus,
): Promise<string | undefined> => {
  if (to === 'open') {
    const why = whyNot(payment, dispute.amount_minor)
    if (why) return disputeRefusalText(why)
    await reopen(trx, dispute, { paymentId: payment.id })
    return undefined
  }
  if (to === 'reversed') {
    const why = await reverse(trx, payment, dispute)
    return why && disputeRefusalText(why)
  }
  if (to === 'won') await win(trx, dispute)
  else await lose(trx, dispute, LOSS)
  return undefined
}

/** Takes the steps that lead to what the gateway says; returns why one of them cannot be taken. */
const follow = async (
  trx: Trx,
  id: string,
  { status, gateStatus }: Chargeback,
): Promise<string | undefined> => {
  const { status: from } = await getDispute(trx, id)
  const way = wayOfDispute(from, status)
  if (!way) return `It was ${from} here, and the gateway says '${gateStatus}'.`
  for (const step of way) {
    const dispute = await getDispute(trx, id)
    const payment = (await lockPayment(trx, dispute.payment_id)) as LockedPayment
    const why = await move(trx, payment, dispute, step)
    if (why) return why
  }
  return undefined
}

const opened = (trx: Trx, payment: LockedPayment, chargeback: Chargeback): Promise<DisputeAnswer> =>
  openNew(
    trx,
    payment,
    {
      paymentId: payment.id,
      amountMinor: chargeback.amountMinor,
      reason: chargeback.reason,
      respondBy: chargeback.respondBy ?? respondBy(chargeback.openedAt ?? new Date()),
    },
    { gate_id: chargeback.gateId, gate_status: chargeback.gateStatus },
  )

class Unfiled extends Error {}

/** Whether it has come to what the gateway says. */
const isSo = ({ status: from }: DisputeRow, { status }: Chargeback): boolean =>
  wayOfDispute(from, status)?.length === 0

const file = async (trx: Trx, chargeback: Chargeback): Promise<Filed> => {
  const { gateId, gateStatus, paymentId, currency } = chargeback
  const payment = await lockPayment(trx, paymentId)
  if (!payment) throw new Unfiled(disputeRefusalText({ code: 'no-payment' }))
  if (!hasMoney(payment)) throw new Unfiled(disputeRefusalText({ code: 'not-paid', status: payment.status }))
  if (currency !== paidSum(payment).currency)
    throw new Unfiled(`It is in ${currency}, and the payment in ${paidSum(payment).currency}.`)
  const known = disputeFor(await listDisputesOf(trx, [paymentId]), chargeback)
  if (known?.gate_id === gateId && known.gate_status === gateStatus && isSo(known, chargeback)) return 'known'
  const answer = known ? undefined : await opened(trx, payment, chargeback)
  if (answer?.kind === 'refused') throw new Unfiled(disputeRefusalText(answer.why))
  const dispute = answer?.dispute ?? (known as DisputeRow)
  const reason = chargeback.reason ?? null
  await noteGateway(trx, dispute.id, {
    gate_id: gateId,
    gate_status: gateStatus,
    reason,
    reason_group: reason === null ? null : groupOfReason(reason),
  })
  const why = await follow(trx, dispute.id, chargeback)
  if (why) throw new Unfiled(why)
  return known ? 'changed' : 'new'
}

/**
 * Makes of a chargeback that the gateway tells of a dispute, or changes the one that there is, once, however often it is
 * told. What does not fit the books is kept for the operator, and nothing is invented for it.
 */
export const fileChargeback = async (
  { db, log }: With<'db'> & Partial<With<'log'>>,
  chargeback: Chargeback,
): Promise<Filed> => {
  try {
    const filed = await db.transaction().execute((trx) => file(trx, chargeback))
    if (filed !== 'known') await forgetUnfiled(db, chargeback.gateId)
    if (filed === 'new') log?.info({ paymentId: chargeback.paymentId }, 'a dispute was opened')
    return filed
  } catch (error) {
    if (!(error instanceof Unfiled)) throw error
    const { gateId: gate_id, paymentId: payment_id } = chargeback
    await keepUnfiled(db, { gate_id, payment_id, why: error.message })
    await askAbout(db, [payment_id])
    return 'unfiled'
  }
}

/** The same of a gateway whose account other shops may share: theirs are let be. */
export const fileShared = async (
  deps: With<'db'> & Partial<With<'log'>>,
  gateway: GatewayName,
  told: readonly SharedChargeback[],
): Promise<void> => {
  for (const { saleId, ...chargeback } of told)
    if (await isSaleOf(deps.db, gateway, chargeback.paymentId, saleId)) await fileChargeback(deps, chargeback)
}
