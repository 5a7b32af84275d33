import { setNextCommission, setNextCreditNote, setNextInvoice } from '@hedgerow/contract/console/invoices'
import { CallAct } from '#shared/call-act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

const SERIES = [
  { one: 'invoice', read: 'getNextInvoice', set: 'setNextInvoice', endpoint: setNextInvoice },
  { one: 'credit note', read: 'getNextCreditNote', set: 'setNextCreditNote', endpoint: setNextCreditNote },
  {
    one: 'commission document',
    read: 'getNextCommission',
    set: 'setNextCommission',
    endpoint: setNextCommission,
  },
] as const

const One = ({ one, read, set, endpoint }: (typeof SERIES)[number]) => {
  const query = useData(read, {})
  return (
    <Loaded query={query} lines={1}>
      {({ next, missing }) => (
        <div className="py-2">
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <span>
              The next {one} is <strong>{next}</strong>
            </span>
            <CallAct call={set} endpoint={endpoint} label="After a restore" verb="Save" refreshes={[read]} />
          </div>
          {missing.map(({ from, to, at }) => (
            <p key={from} className="text-quiet-ink">
              Missing: {from} to {to}, lost in a restore, <Time at={at} as="day" />
            </p>
          ))}
        </div>
      )}
    </Loaded>
  )
}

/** Where the numbers of documents stand, and what of them is missing. */
export const Series = () => (
  <Section title="Numbers">
    <div className="divide-y divide-line">
      {SERIES.map((series) => (
        <One key={series.one} {...series} />
      ))}
    </div>
  </Section>
)
