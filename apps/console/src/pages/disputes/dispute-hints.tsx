import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { Link } from 'wouter'
import { api } from '#lib/api.ts'
import { countText } from '#lib/format.ts'
import { Act } from '#shared/act.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

const REFRESHED = ['listDisputeHints', 'listDisputes', 'getToday'] as const

export const FetchDisputesAct = () => {
  const toast = useToast()
  const hints = useData('listDisputeHints', {})
  if (!hints.data?.canFetch) return null
  return (
    <Act
      label="Ask the gateway now"
      title="Ask the gateway for disputes?"
      may="disputes.change"
      verb="Ask it"
      run={async () => {
        const told = await api.call('fetchConsoleDisputes', {})
        toast(
          `${countText(told.new)} new, ${countText(told.changed)} changed, ${countText(told.known)} known${told.unfiled > 0 ? `, ${countText(told.unfiled)} could not be recorded` : ''}`,
        )
      }}
      refreshes={REFRESHED}
    >
      <p>For those of the last half year. The shop does it once a day by itself.</p>
    </Act>
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
        <Act
          label="I have looked"
          title="Have you looked at the gateway’s dashboard?"
          may="disputes.change"
          verb="I have looked"
          run={() => api.call('checkDisputeHints', {})}
          done="They wait no longer"
          refreshes={REFRESHED}
        >
          <p>What was only hinted at waits for you no longer.</p>
        </Act>
      </div>
    </Notice>
  )
}
