import { resolveConsoleRefund } from '@hedgerow/contract/console/payments'
import { formatDate } from '@hedgerow/domain/dates'
import { readAmount } from '@hedgerow/domain/money'
import { isRefundClaimed } from '@hedgerow/domain/payment-methods'
import { REFUND_CAUSES } from '@hedgerow/domain/refund-presets'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { api, type ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { reasonWords } from '#pages/payments/payment-moments.ts'
import { Act, type Filled, Mistyped } from '#shared/act.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { Money } from '#shared/money.tsx'
import { Time } from '#shared/time.tsx'
import { minorOf } from '#shared/typed.ts'

const CAUSES = Object.entries(REFUND_CAUSES)

type Report = ReplyOf<'getPayment'>
type Refund = Report['refunds'][number]

const PRESET_WORDS = { all: 'All', unused: 'Unused days', half: 'Half' } as const
const OTHER = 'other'

/** Those that come to something, and not to the same as one before. */
const presetsOf = (presets: NonNullable<Report['presets']>) =>
  (['all', 'unused', 'half'] as const).filter(
    (name, at, all) =>
      presets[name].minor > 0 && all.findIndex((one) => presets[one].minor === presets[name].minor) === at,
  )

const presetSum = (presets: NonNullable<Report['presets']>, { preset }: Filled): number | undefined =>
  preset === 'all' || preset === 'unused' || preset === 'half' ? presets[preset].minor : undefined

/** Gives money back, once: the same sum again has to be meant. */
export const RefundAct = ({ payment: { id, left, presets, refunds, method } }: { payment: Report }) =>
  presets && (
    <Act
      label="Refund"
      title="Refund this payment?"
      may="payments.refund"
      tone="outline"
      verb="Refund"
      fields={[
        {
          name: 'preset',
          label: 'How much',
          kind: 'choice',
          first: 'all',
          options: [
            ...presetsOf(presets).map(
              (name) => [name, `${PRESET_WORDS[name]}: ${sumText(presets[name])}`] as const,
            ),
            [OTHER, 'Another sum'] as const,
          ],
        },
        {
          name: 'sum',
          label: `Another sum, in ${left.currency}`,
          kind: 'sum',
          isOptional: 'unsaid',
          hint: `At most ${sumText(left)}`,
        },
        { name: 'because', label: 'Reason', kind: 'choice', options: CAUSES },
        ...(refunds.length > 0
          ? [{ name: 'again', label: 'The same sum once more is meant', kind: 'check' as const }]
          : []),
      ]}
      shows={(filled) => {
        const minor = presetSum(presets, filled) ?? readAmount(filled.sum ?? '')
        return minor !== undefined && minor > 0 ? (
          <p className="font-medium">{sumText({ ...left, minor })} goes back to the customer.</p>
        ) : null
      }}
      run={async (filled) => {
        const amountMinor = presetSum(presets, filled) ?? minorOf(filled.sum)
        if (amountMinor === undefined) throw new Mistyped('sum', 'Please enter a sum.')
        if (filled.preset !== OTHER && filled.sum)
          throw new Mistyped('sum', 'Choose “Another sum” to refund this, or leave it empty.')
        const { isNew, refund } = await api.call('refundPayment', {
          params: { paymentId: id },
          body: {
            amountMinor,
            because: filled.because as keyof typeof REFUND_CAUSES,
            isAgain: filled.again === 'on',
          },
        })
        if (!isNew)
          throw new Mistyped(
            'preset',
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
      verb="Record"
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
          {reasonWords(refund)}, <Time at={refund.endedAt ?? refund.createdAt} />
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
