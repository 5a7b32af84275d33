import { Segmented } from '@hedgerow/ui/segmented.tsx'
import { useState } from 'react'
import { counted, countText } from '#lib/format.ts'
import { LineChart } from '#shared/line-chart.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Section } from '#shared/section.tsx'
import { useData } from '#shared/use-data.ts'

const ASKED_EVERY_MS = 60_000

const SPANS = [
  { value: 'day', label: '24 hours' },
  { value: 'month', label: '30 days' },
] as const

const SIZES = [
  ['Gbit/s', 1e9],
  ['Mbit/s', 1e6],
  ['kbit/s', 1e3],
] as const

/** '31.4 Mbit/s', of bytes a second. */
const rateText = (bytes: number): string => {
  const bits = bytes * 8
  const [unit, size] = SIZES.find(([, least]) => bits >= least) ?? ['bit/s', 1]
  const value = bits / size
  return `${value >= 100 || size === 1 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`
}

const percentText = (value: number) => `${Math.round(value * 10) / 10}%`
const hoursText = (hours: number) =>
  hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day')

/** How a node fared over a day or a month, or since it was added: before that nothing is missing. */
export const NodeHistory = ({ name, since }: { name: string; since: string }) => {
  const [span, setSpan] = useState<(typeof SPANS)[number]['value']>('day')
  const history = useData(
    'getNodeHistory',
    { params: { name }, querystring: { of: span } },
    { everyMs: ASKED_EVERY_MS },
  )
  return (
    <Section
      title="History"
      actions={<Segmented label="Period" value={span} onChange={setSpan} options={SPANS} />}
    >
      <Loaded query={history}>
        {(all) => {
          const steps = all.filter(({ from }) => from >= since)
          if (steps.every(({ peers, loss }) => peers === null && loss === null))
            return (
              <p className="text-quiet-ink">
                Nothing was reported in this time. An agent reports from the version of this shop on.
              </p>
            )
          const times = steps.map(({ from }) => from)
          const of = <K extends keyof (typeof steps)[number]>(key: K) => steps.map((step) => step[key])
          return (
            <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">
              <LineChart
                title="Connected"
                times={times}
                series={[{ look: 'main', values: of('peers') }]}
                textOf={countText}
                leastTop={4}
              />
              <LineChart
                title="Traffic"
                times={times}
                series={[
                  { name: 'to customers', look: 'main', values: of('sent') },
                  { name: 'from them', look: 'other', values: of('received') },
                ]}
                textOf={rateText}
              />
              <LineChart
                title="Processor"
                times={times}
                series={[{ look: 'main', values: of('processor') }]}
                textOf={percentText}
                top={100}
              />
              <LineChart
                title="Lost handshakes"
                times={times}
                series={[{ look: 'trouble', values: of('loss') }]}
                textOf={percentText}
                leastTop={10}
              />
              <LineChart
                title="Missed reports"
                times={times}
                series={[{ look: 'trouble', values: of('missed') }]}
                textOf={countText}
                top={span === 'day' ? 5 : 60}
              />
              <LineChart
                title="Agent’s errors"
                times={times}
                series={[{ look: 'trouble', values: of('errors') }]}
                textOf={countText}
                leastTop={4}
              />
              {steps.some(({ listsAge }) => listsAge !== null) && (
                <LineChart
                  title="Age of filter lists"
                  times={times}
                  series={[{ look: 'main', values: of('listsAge') }]}
                  textOf={hoursText}
                  leastTop={48}
                />
              )}
            </div>
          )
        }}
      </Loaded>
    </Section>
  )
}
