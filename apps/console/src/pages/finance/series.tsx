import { api } from '#lib/api.ts'
import { Act } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { wholeOf } from '#shared/typed.ts'
import { useData } from '#shared/use-data.ts'

const NAMES = { invoices: 'invoice', 'credit-notes': 'credit note' } as const

/** Where the numbers of documents stand, and what of them is missing. */
export const Series = () => {
  const query = useData('getSeries', {})
  return (
    <Section title="Numbers">
      <Loaded query={query} lines={2}>
        {(all) => (
          <ul className="divide-y divide-line">
            {all.map(({ series, next, missing }) => (
              <li key={series} className="py-2">
                <div className="flex flex-wrap items-center justify-between gap-x-4">
                  <span>
                    The next {NAMES[series]} is <strong>{next}</strong>
                  </span>
                  <Act
                    label="After a restore"
                    title={`Which number has the next ${NAMES[series]}?`}
                    may="books.change"
                    tone="quiet"
                    verb="Set it"
                    fields={[{ name: 'number', label: 'Number of this year', kind: 'number' }]}
                    run={({ number }) =>
                      api.call('setSeries', {
                        params: { series },
                        body: { number: wholeOf('number', number) },
                      })
                    }
                    done="Set"
                    refreshes={['getSeries']}
                  >
                    <p>
                      The numbers before it were used by the shop that was lost, or may have been: they are
                      left out, and recorded as lost. This cannot be undone.
                    </p>
                  </Act>
                </div>
                {missing.map(({ from, to, at }) => (
                  <p key={from} className="text-quiet-ink">
                    Missing: {from} to {to}, lost in a restore, <Time at={at} as="day" />
                  </p>
                ))}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}
