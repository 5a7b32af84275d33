import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { useState } from 'react'
import type { ReplyOf } from '#lib/api.ts'
import { dayText, sumText } from '#lib/format.ts'
import { BarChart } from '#shared/bar-chart.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Section } from '#shared/section.tsx'
import { useData } from '#shared/use-data.ts'

type Sales = ReplyOf<'getSales'>

/** A little longer than the server keeps its answer. */
const KEPT_MS = 61_000

const STEPS = { day: 'Days', week: 'Weeks', month: 'Months' } as const
const PARTS = { currency: 'by currency', method: 'by way of paying', plan: 'by plan' } as const
type Step = keyof typeof STEPS
type Part = keyof typeof PARTS

const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

const currenciesOf = ({ lines }: Sales) => [...new Set(lines.map(({ currency }) => currency))].sort()

/** What was sold over time. Sums of different currencies are never added up: each has its own picture. */
export const SalesChart = () => {
  const [step, setStep] = useState<Step>('day')
  const [by, setBy] = useState<Part>('currency')
  const sales = useData(
    'getSales',
    { querystring: { step, by } },
    { live: { kinds: ['payment'], keptMs: KEPT_MS } },
  )
  return (
    <Section
      title="Sales"
      actions={
        <div className="flex gap-2">
          <BareSelect
            aria-label="Steps"
            value={step}
            onChange={({ target }) => setStep(target.value as Step)}
          >
            {optionsOf(STEPS)}
          </BareSelect>
          <BareSelect aria-label="Parts" value={by} onChange={({ target }) => setBy(target.value as Part)}>
            {optionsOf(PARTS)}
          </BareSelect>
        </div>
      }
    >
      <Loaded query={sales}>
        {(data) => (
          <div className="space-y-6">
            {data.lines.length === 0 && <p className="text-quiet-ink">Nothing was sold in this time.</p>}
            {currenciesOf(data).map((currency) => (
              <BarChart
                key={currency}
                caption={`Sold in ${currency}`}
                labels={data.steps.map(dayText)}
                series={data.lines
                  .filter((line) => line.currency === currency)
                  .map(({ name, sold }) => ({ name, values: sold }))}
                textOf={(minor) => sumText({ minor: Math.round(minor), currency })}
              />
            ))}
          </div>
        )}
      </Loaded>
    </Section>
  )
}
