import { checkDisputeHints, fetchConsoleDisputes } from '@hedgerow/contract/console/disputes'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { countText } from '#lib/format.ts'
import { CallAct } from '#shared/call-act.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

const REFRESHED = ['listDisputeHints', 'listDisputes', 'getToday'] as const

type Fetched = ReplyOf<'fetchConsoleDisputes'>

const fetchedText = ({ new: created, changed, known, unfiled }: Fetched) =>
  `${countText(created)} new, ${countText(changed)} changed, ${countText(known)} known${unfiled > 0 ? `, ${countText(unfiled)} could not be recorded` : ''}`

export const FetchDisputesAct = () => {
  const hints = useData('listDisputeHints', {})
  if (!hints.data?.canFetch) return null
  return (
    <CallAct
      call="fetchConsoleDisputes"
      endpoint={fetchConsoleDisputes}
      label="Ask the gateway now"
      verb="Ask"
      tone="outline"
      says={fetchedText}
      refreshes={REFRESHED}
    >
      <p>The shop does it once a day by itself, for the last half year.</p>
    </CallAct>
  )
}

/** What was only hinted at, until somebody has looked. */
export const DisputeHints = () => {
  const { data } = useData('listDisputeHints', {})
  if (!data || data.hints.length + data.unfiled.length === 0) return null
  return (
    <Notice kind="warning" title="Somebody spoke of disputes" className="mb-6">
      <ul className="list-disc pl-5">
        {data.hints.map(({ paymentId, lastToldAt }) => (
          <li key={paymentId ?? 'some'}>
            Of{' '}
            {paymentId ? (
              <Link to={`/payments/${paymentId}`} className="link">
                payment {paymentId.slice(0, 8)}
              </Link>
            ) : (
              'some payment'
            )}
            , <Time at={lastToldAt} />
          </li>
        ))}
        {data.unfiled.map(({ gatewayId, why, toldAt }) => (
          <li key={gatewayId}>
            Chargeback {gatewayId}, told <Time at={toldAt} />, is no dispute here: {why}
          </li>
        ))}
      </ul>
      <div className="mt-3">
        <CallAct
          call="checkDisputeHints"
          endpoint={checkDisputeHints}
          label="I have looked"
          verb="I have looked"
          tone="outline"
          refreshes={REFRESHED}
        />
      </div>
    </Notice>
  )
}
