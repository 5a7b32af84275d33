import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { formatCharged } from '@hedgerow/domain/exchange'
import { toMinor } from '@hedgerow/domain/money'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { describeStatement } from '@hedgerow/domain/statement-descriptor'
import { useId } from 'react'
import { InvoiceButton } from '#features/payment-history/invoice-button.tsx'

type PaidReceiptProps = { payment: PaymentHistoryItem; onInvoice: (orderId: string) => Promise<void> }

const LAST_DIGITS = 4

/** What was paid, for what and how, in a line; the invoice beside it. */
export const PaidReceipt = ({ payment, onInvoice }: PaidReceiptProps) => {
  const {
    total,
    currency,
    charged,
    method,
    paidWith,
    pan,
    description,
    orderId,
    orderStatus,
    statementDescriptor,
  } = payment
  const id = useId()
  const sum = formatCharged(toMinor(total) ?? 0, currency.code)
  const paid = charged ? `${sum} (${formatCharged(toMinor(charged.total) ?? 0, charged.currency)})` : sum
  const by = pan
    ? `${METHOD_NAMES[method]} ending ${pan.slice(-LAST_DIGITS)}`
    : (paidWith ?? METHOD_NAMES[method])
  return (
    <section
      aria-label="Receipt"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card border border-line bg-surface px-5 py-4 sm:px-6"
    >
      <div className="min-w-0">
        <p id={id} className="tabular-nums">
          <span className="font-semibold">{paid}</span>, <span>{by}</span>
        </p>
        <p className="text-sm text-quiet-ink wrap-anywhere">{description}</p>
        {statementDescriptor && (
          <p className="mt-1 text-sm text-quiet-ink wrap-anywhere">
            {describeStatement(statementDescriptor)}
          </p>
        )}
      </div>
      {orderStatus === 'Completed' && (
        <InvoiceButton orderId={orderId} describedBy={id} onInvoice={onInvoice} />
      )}
    </section>
  )
}
