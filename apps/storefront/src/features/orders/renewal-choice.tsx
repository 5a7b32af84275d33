import { formatLocalTime } from '@hedgerow/domain/dates'
import { CONNECTIONS } from '@hedgerow/domain/pricing'
import { connectionsFor, describeRenewal, renewedEnd } from '@hedgerow/domain/renewals'
import { Button } from '@hedgerow/ui/button.tsx'
import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useLayoutEffect, useMemo, useState } from 'react'
import { type Renewable, renewableOf, renewalOf } from '#features/orders/renewable.ts'
import type { Renewal } from '#features/orders/renewal.ts'
import { hasAll, useConnections } from '#shared/use-connections.ts'

type RenewalChoiceProps = {
  /** Chosen at first: what the address names. */
  wanted: readonly string[]
  /** How many connections are bought, and for how many days. */
  bought: number
  days: number
  onChange: (renewal: Renewal) => void
}

const describeEnd = ({ end, hasEnded }: Renewable) => `${hasEnded ? 'Ended' : 'Ends'} ${formatLocalTime(end)}`

const summaryOf = (chosen: readonly Renewable[], bought: number) => {
  const connections = connectionsFor(bought, chosen.length)
  return chosen.length === 0
    ? `${connections} connections: all new`
    : `${connections} connections: ${describeRenewal(
        chosen.map(({ name }) => name),
        connections,
      )}`
}

type RenewableBoxProps = {
  renewable: Renewable
  isChosen: boolean
  disabled: boolean
  /** When it would end then. */
  renewedTo: Date
  onChange: (isChosen: boolean) => void
}

const RenewableBox = ({ renewable, isChosen, disabled, renewedTo, onChange }: RenewableBoxProps) => (
  <Checkbox
    name="renew"
    value={renewable.id}
    checked={isChosen}
    disabled={disabled}
    onChange={({ target }) => onChange(target.checked)}
    label={
      <>
        <span className="block wrap-anywhere">{renewable.name}</span>
        <span className="block text-sm text-quiet-ink tabular-nums">
          <span>{describeEnd(renewable)}</span>
          {isChosen && (
            <>
              <span>, </span>
              <span className="inline-block">{`then ${formatLocalTime(renewedTo)}`}</span>
            </>
          )}
        </span>
      </>
    }
  />
)

/** Which of the customer's connections the days are added to. The rest of those that are bought are new. */
export const RenewalChoice = ({ wanted, bought, days, onChange }: RenewalChoiceProps) => {
  const [now] = useState(() => new Date())
  const [isLookedAt, setIsLookedAt] = useState(false)
  const { connections, isReading, error, retry } = useConnections((all) => !isLookedAt && hasAll(all, wanted))
  // What the address names stands at the top, where it is seen.
  const [first] = useState<ReadonlySet<string>>(() => new Set(wanted))
  const renewable = useMemo(
    () =>
      renewableOf(connections, now).toSorted(
        (one, other) => Number(first.has(other.id)) - Number(first.has(one.id)),
      ),
    [connections, now, first],
  )
  const [ids, setIds] = useState(first)
  const chosen = useMemo(() => renewable.filter(({ id }) => ids.has(id)), [renewable, ids])
  useLayoutEffect(() => onChange(renewalOf(chosen)), [chosen, onChange])
  const [isOpen] = useState(chosen.length > 0)
  const isFull = chosen.length >= CONNECTIONS.max
  const missing = wanted.filter((id) => !renewable.some((one) => one.id === id)).length
  const choose = (id: string, isChosen: boolean) =>
    setIds(
      new Set(
        chosen
          .map((one) => one.id)
          .filter((one) => one !== id)
          .concat(isChosen ? id : []),
      ),
    )
  return (
    <div className="mt-4">
      {error && (
        <Notice kind="problem" title="Your connections did not all load" className="mb-2">
          <p>{messageOf(error)}</p>
          <Button variant="outline" className="mt-3" onClick={retry}>
            Try again
          </Button>
        </Notice>
      )}
      {missing > 0 && !error && (
        <p className="mb-2 text-quiet-ink">
          {`${missing === 1 ? 'One connection' : `${missing} connections`} in your link can no longer be extended.`}
        </p>
      )}
      {renewable.length > 0 && (
        <details
          open={isOpen}
          onToggle={(event) => setIsLookedAt(event.currentTarget.open)}
          className="group rounded-field border border-line"
        >
          <summary className="flex min-h-12 list-none items-center justify-between gap-4 px-3 font-medium hover:text-hedge [&::-webkit-details-marker]:hidden">
            Extend connections you have
            <ChevronDown className="size-5 shrink-0 text-quiet-ink group-open:rotate-180" />
          </summary>
          <div className="px-3 pb-2">
            <p className="text-sm text-quiet-ink">
              Keys, names and filters stay the same. The days are added to the current end.
            </p>
            <fieldset className="mt-1 max-h-96 min-w-0 divide-y divide-line overflow-y-auto">
              <legend className="sr-only">Connections to extend</legend>
              {isReading && <Skeleton label="Loading your connections" lines={8} />}
              {!isReading &&
                renewable.map((one) => (
                  <RenewableBox
                    key={one.id}
                    renewable={one}
                    isChosen={ids.has(one.id)}
                    disabled={isFull && !ids.has(one.id)}
                    renewedTo={renewedEnd(one.end, now, days)}
                    onChange={(isChosen) => choose(one.id, isChosen)}
                  />
                ))}
            </fieldset>
            <p role="status" className="border-t border-line pt-2 text-sm font-medium wrap-anywhere">
              {summaryOf(chosen, bought)}
            </p>
          </div>
        </details>
      )}
    </div>
  )
}
