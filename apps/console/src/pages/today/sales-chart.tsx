import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useState } from 'react'
import { Link } from 'wouter'
import { londonDayText, londonMonthText, sumText } from '#lib/format.ts'
import { type Part, seriesOf } from '#pages/today/sales-series.ts'
import { BarChart } from '#shared/bar-chart.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Section } from '#shared/section.tsx'
import { useData } from '#shared/use-data.ts'

/** A little longer than the server keeps its answer. */
const KEPT_MS = 61_000

const STEPS = { day: 'Days', week: 'Weeks', month: 'Months' } as const
const PARTS = {
  currency: 'By currency',
  method: 'By payment method',
  plan: 'By plan',
} as const satisfies Record<Part, string>
type Step = keyof typeof STEPS

const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

const poundsText = (minor: number) => sumText({ minor: Math.round(minor), currency: 'GBP' })

/** What was sold over time, in pounds at the rates of the books. */
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
            aria-label="Period"
            value={step}
            onChange={({ target }) => setStep(target.value as Step)}
          >
            {optionsOf(STEPS)}
          </BareSelect>
          <BareSelect aria-label="Split by" value={by} onChange={({ target }) => setBy(target.value as Part)}>
            {optionsOf(PARTS)}
          </BareSelect>
        </div>
      }
    >
      <Loaded query={sales}>
        {({ steps, lines, missing }) => (
          <div className="space-y-4">
            {missing.length > 0 && (
              <Notice kind="warning">
                Sales in {missing.join(' and ')} are not shown, because there is no rate.{' '}
                <Link to="/finance/rates" className="link">
                  Set rate
                </Link>
              </Notice>
            )}
            {lines.length === 0 ? (
              <p className="text-quiet-ink">No sales in this period.</p>
            ) : (
              <BarChart
                caption="In pounds, VAT included"
                labels={steps.map(step === 'month' ? londonMonthText : londonDayText)}
                series={seriesOf(lines, by)}
                textOf={poundsText}
              />
            )}
          </div>
        )}
      </Loaded>
    </Section>
  )
}
