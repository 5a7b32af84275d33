import type { Cancellation } from '@hedgerow/contract/cancellations'
import { Time } from '#shared/time.tsx'

type WhatEndsProps = {
  connections: Cancellation['connections']
  /** It has been cancelled. */
  isDone?: boolean
}

/** The connections that stop with the payment, and those that go on because other purchases bought days of them. */
export const WhatEnds = ({ connections, isDone = false }: WhatEndsProps) => {
  const atOnce = connections.filter(({ endsAtOnce }) => endsAtOnce)
  const later = connections.filter(({ endsAtOnce }) => !endsAtOnce)
  return (
    <dl className="space-y-3">
      {atOnce.length > 0 && (
        <div>
          <dt className="font-medium">{isDone ? 'Ended' : 'Ends at once'}</dt>
          <dd className="wrap-anywhere">{atOnce.map(({ name }) => name).join(', ')}</dd>
        </div>
      )}
      {later.length > 0 && (
        <div>
          <dt className="font-medium">Continues, because another purchase pays for it, but ends earlier</dt>
          {later.map(({ _id, name, endsAt }) => (
            <dd key={_id} className="wrap-anywhere tabular-nums">
              {name}, until <Time at={endsAt} />
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}
