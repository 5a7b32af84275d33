import type { PaymentRefusal } from '@hedgerow/domain/payment-refusals'
import { isFinal, type PaymentStatus } from '@hedgerow/domain/payment-status'
import { type GatewayDependencies, gatewayOf, refOf } from '#money/gateway/gateway.ts'
import { detailsOf, type PaymentUpdate } from '#money/gateway/payment-update.ts'
import { findPayment, type PaymentWithOrder } from '#money/payments/payments.queries.ts'
import { queueClosing } from '#money/payments/updates/close-page.ts'
import { ended, endWithout, recordPaid, type Telling } from '#money/payments/updates/end-payment.ts'
import { applyOtherSum, matches, otherSum } from '#money/payments/updates/other-sum.ts'
import { applyRefundUpdates } from '#money/refunds/refunds.service.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db'> & Telling & GatewayDependencies

/** How a person can end a payment: 'paid' when what was asked for has come, to the cent. */
type Resolution = 'paid' | 'decline' | 'error'

const STATUSES = { paid: 'Success', decline: 'Decline', error: 'Error' } as const satisfies Record<
  Resolution,
  PaymentStatus
>

export type ResolveRequest = {
  paymentId: string
  as: Resolution
  /** Although the gateway says that it is still under way there. */
  isAlthough?: boolean
}

/** 'settled': as was asked for. 'by-the-gateway': the gateway knew how it ended, and that counts. */
export type ResolveAnswer =
  | { kind: 'settled' | 'by-the-gateway'; status: PaymentStatus }
  | { kind: 'refused'; why: PaymentRefusal }

const refuse = (why: PaymentRefusal): ResolveAnswer => ({ kind: 'refused', why })

/** Why a payment is not for a person to end, whatever the gateway says. */
const refusalOf = (row: PaymentWithOrder | undefined, { as }: ResolveRequest): ResolveAnswer | undefined => {
  if (!row) return refuse({ code: 'no-payment' })
  if (row.received_minor !== null) return refuse({ code: 'other-sum' })
  if (row.status === 'Success') return refuse({ code: 'already-paid' })
  if (isFinal(row.status) && as !== 'paid') return refuse({ code: 'ended-before', status: row.status })
  return undefined
}

/** The gateway's own status; undefined where it does not answer, does not know the payment, or cannot be read. */
const ask = async ({ gateways }: Deps, row: PaymentWithOrder): Promise<PaymentUpdate | undefined> => {
  const answer = await gatewayOf(gateways, row.gateway).status(refOf(row))
  const update = answer.kind === 'found' ? answer.update : undefined
  return update && !update.isRefundOnly && matches(row, update) ? update : undefined
}

const applyGatewaysOutcome = (deps: Deps, row: PaymentWithOrder, update: PaymentUpdate): Promise<boolean> => {
  const details = row.customer_id ? detailsOf(update) : { ...detailsOf(update), card_holder: null }
  const other = otherSum(row, update)
  if (other) return applyOtherSum(deps, row, other, details)
  return update.status === 'Success'
    ? recordPaid(deps, row, details)
    : endWithout(deps, row, ended(row, update.status, details))
}

/** With what went back there meanwhile, which buys nothing. Undefined when the payment has changed meanwhile. */
const takeGatewaysOutcome = async (
  deps: Deps,
  row: PaymentWithOrder,
  update: PaymentUpdate,
): Promise<ResolveAnswer | undefined> => {
  if (!(await applyGatewaysOutcome(deps, row, update))) return undefined
  await applyRefundUpdates({ db: deps.db }, row.id, update.refunds)
  return { kind: 'by-the-gateway', status: otherSum(row, update) ? 'Error' : update.status }
}

const resolveOnce = async (deps: Deps, request: ResolveRequest): Promise<ResolveAnswer | undefined> => {
  const row = await findPayment(deps.db, request.paymentId)
  const refusal = refusalOf(row, request)
  if (!row || refusal) return refusal
  const update = await ask(deps, row)
  const isOver = update && (isFinal(update.status) || otherSum(row, update) !== undefined)
  if (isOver && request.as === 'paid' && update.status !== 'Success' && !otherSum(row, update))
    return refuse({ code: 'gateway-says-unpaid', status: update.gateStatus })
  if (isOver && (update.status !== 'Success' || update.paid)) return takeGatewaysOutcome(deps, row, update)
  if (update && !request.isAlthough)
    return refuse({ code: 'gateway-says-under-way', status: update.gateStatus })
  const status = STATUSES[request.as]
  const isResolved =
    status === 'Success'
      ? await recordPaid(deps, row, {})
      : await endWithout(deps, row, ended(row, status, {}), (trx) => queueClosing(trx, row.id))
  return isResolved ? { kind: 'settled', status } : undefined
}

/**
 * Ends a payment on the word of a person who knows how it ended, once: as the gateway would, so that a late success still
 * counts. The gateway is asked first; what it knows counts more, and what it says against it refuses.
 */
export const resolvePayment = async (deps: Deps, request: ResolveRequest): Promise<ResolveAnswer> => {
  for (;;) {
    const answer = await resolveOnce(deps, request)
    if (answer) return answer
  }
}
