import { resolveConsoleRefund } from '@hedgerow/contract/console/payments'
import { formatDate } from '@hedgerow/domain/dates'
import { isRefundClaimed } from '@hedgerow/domain/payment-methods'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { api, type ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { reasonWords } from '#pages/payments/payment-moments.ts'
import { Act, Mistyped } from '#shared/act.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { Money } from '#shared/money.tsx'
import { Time } from '#shared/time.tsx'
import { minorOf } from '#shared/typed.ts'

type Report = ReplyOf<'getPayment'>
type Refund = Report['refunds'][number]

/** Gives money back, once: the same sum again has to be meant. */
export const RefundAct = ({ payment: { id, left, refunds, method } }: { payment: Report }) =>
  left.minor > 0 && (
    <Act
      label="Refund"
      title="Refund this payment?"
      may="payments.refund"
      tone="outline"
      verb="Refund"
      fields={[
        {
          name: 'sum',
          label: `Sum in ${left.currency}`,
          kind: 'sum',
          isOptional: true,
          hint: `All that is left, ${sumText(left)}, if you leave it out`,
        },
        ...(refunds.length > 0
          ? [{ name: 'again', label: 'The same sum once more is meant', kind: 'check' as const }]
          : []),
      ]}
      run={async ({ sum, again }) => {
        const { isNew, refund } = await api.call('refundPayment', {
          params: { paymentId: id },
          body: { amountMinor: minorOf(sum), isAgain: again === 'on' },
        })
        if (!isNew)
          throw new Mistyped(
            'sum',
            `${sumText(refund.sum)} is already refunded or on its way. If you mean it once more, tick the box.`,
          )
      }}
      done="Recorded. The shop sends it to the gateway."
      refreshes={['getPayment', 'listPayments', 'getToday']}
    >
      <p>
        {isRefundClaimed(method)
          ? 'The customer gets an email with a link to say which wallet it goes to. Then you approve and pay it in BTCPay.'
          : 'The money goes back the way it came.'}{' '}
        The credit note is emailed once it is sent. What was bought ends once all of it has gone back. This
        cannot be undone.
      </p>
    </Act>
  )

const waitsFor = ({ isByHand, claim }: Refund): string => {
  if (claim) return claim.at ? 'claimed, to be paid' : 'waits for the customer'
  return isByHand ? 'send it by hand' : 'under way'
}

const stateOf = (refund: Refund) => {
  const { status, isClosed } = refund
  if (status === 'Success') return <Badge tone="good">refunded</Badge>
  if (status === 'Decline')
    return <Badge tone={isClosed ? 'quiet' : 'bad'}>{isClosed ? 'no longer owed' : 'refused'}</Badge>
  return <Badge tone="warning">{waitsFor(refund)}</Badge>
}

const ResolveAct = ({ paymentId, refund }: { paymentId: string; refund: Refund }) =>
  refund.status !== 'Success' && !refund.isClosed ? (
    <CallAct
      call="resolveConsoleRefund"
      endpoint={resolveConsoleRefund}
      label="Say what became of it"
      verb="Record it"
      params={{ paymentId, refundId: refund.id }}
      refreshes={['getPayment', 'listPayments', 'getToday']}
    >
      <p>It is the refund of {sumText(refund.sum)}.</p>
    </CallAct>
  ) : null

/** What went back, or is on its way. */
export const Refunds = ({ payment: { id, refunds } }: { payment: Report }) => (
  <ul className="divide-y divide-line">
    {refunds.map((refund) => (
      <li key={refund.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
        <strong>
          <Money of={refund.sum} />
        </strong>
        {stateOf(refund)}
        <span className="text-quiet-ink">
          {reasonWords(refund.reason)}, <Time at={refund.endedAt ?? refund.createdAt} />
        </span>
        {refund.dueBy && <span>to be sent by {formatDate(new Date(refund.dueBy))}</span>}
        {refund.claim?.page && refund.status === 'Pending' && (
          <a href={refund.claim.page} className="link" rel="noreferrer">
            Claims in BTCPay
          </a>
        )}
        {refund.reference && <span className="text-quiet-ink wrap-anywhere">ARN {refund.reference}</span>}
        {refund.code && refund.status === 'Decline' && <span>code {refund.code}</span>}
        <span className="ml-auto">
          <ResolveAct paymentId={id} refund={refund} />
        </span>
      </li>
    ))}
  </ul>
)
