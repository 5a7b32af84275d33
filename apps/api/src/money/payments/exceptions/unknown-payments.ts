import type { AccountData } from '@hedgerow/contract/account-data'
import { chargedToMajor } from '@hedgerow/domain/exchange'
import { isPaymentId } from '@hedgerow/domain/ids'
import { toMajor } from '@hedgerow/domain/money'
import { PARTIALLY_PAID } from '@hedgerow/domain/payment-status'
import type { Carried } from '#money/gateway/gateway.ts'
import type { PaymentUpdate } from '#money/gateway/payment-update.ts'
import {
  type ListedUnknown,
  listUnknownOf,
  upsertUnknown,
} from '#money/payments/exceptions/unknown-payments.queries.ts'
import type { With } from '#platform/dependencies.ts'

export {
  deleteOldUnknown,
  type ListedUnknown,
  listUnknown,
  measureUnknown,
} from '#money/payments/exceptions/unknown-payments.queries.ts'

const LONGEST_ID = 255
const CURRENCY = /^[A-Z]{3}$/
const MASKED_PAN = /^\d{0,6}\*+\d{0,4}$/
const LONGEST_PAN = 40

/** What went back was paid before, even where that was not reported; and a part that came is money, too. */
const statusOf = ({
  status,
  gateStatus,
  paid,
  isRefundOnly,
  refunds,
}: PaymentUpdate): PaymentUpdate['status'] =>
  (isRefundOnly && refunds.some((refund) => refund.status === 'success')) ||
  (gateStatus === PARTIALLY_PAID && paid)
    ? 'Success'
    : status

const BY_THE_GATE = { gateway: 'gate', gateway_ref: null } as const

/**
 * Keeps what the gateway reports of a payment that is not here, as after a restore: the money is the operator's to give back or
 * to say what it was for. To be called with what the gateway has signed for this project, or has answered, and nothing else. Ids that are
 * none of ours are not kept.
 */
export const noteUnknown = async (
  { db, log }: With<'db' | 'log'>,
  update: PaymentUpdate,
  carrier: Omit<Carried, 'id'> = BY_THE_GATE,
): Promise<void> => {
  const { paymentId, paid, customerId = '', panMasked = '' } = update
  const amountMinor = paid?.amount ?? update.amountMinor
  const currency = paid?.currency ?? update.currency ?? ''
  if (!isPaymentId(paymentId)) return
  const isFirst = await upsertUnknown(db, {
    payment_id: paymentId,
    ...carrier,
    method: update.method ?? null,
    status: statusOf(update),
    amount_minor: amountMinor ?? null,
    currency: CURRENCY.test(currency) ? currency : null,
    pan_masked: MASKED_PAN.test(panMasked) ? panMasked.slice(0, LONGEST_PAN) : null,
    gate_customer_id: customerId && customerId.length <= LONGEST_ID ? customerId : null,
    is_given_back: update.isGivenBack,
  })
  if (isFirst) log.error({ paymentId }, 'the gateway reports a payment that is not known here')
}

const majorOf = ({ amount_minor, currency }: Pick<ListedUnknown, 'amount_minor' | 'currency'>) => {
  if (amount_minor === null) return null
  return currency === null ? toMajor(Number(amount_minor)) : chargedToMajor(Number(amount_minor), currency)
}

/** Those that the gateway named the account for, for the file with all the data of a customer. */
export const unknownForExport = async (
  { db }: With<'db'>,
  customerId: string,
): Promise<AccountData['unknownPayments']> =>
  (await listUnknownOf(db, customerId)).map((row) => ({
    paymentId: row.payment_id,
    gateway: row.gateway,
    gatewayRef: row.gateway_ref,
    method: row.method,
    status: row.status,
    amount: majorOf(row),
    currency: row.currency,
    pan: row.pan_masked,
    isGivenBack: row.is_given_back,
    firstToldAt: row.first_told_at.toISOString(),
    lastToldAt: row.last_told_at.toISOString(),
  }))
