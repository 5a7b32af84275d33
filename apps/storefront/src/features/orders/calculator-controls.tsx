import { CURRENCIES, CURRENCY_CODES, formatMoney } from '@hedgerow/domain/money'
import {
  type Choice,
  CONNECTIONS,
  clampConnections,
  clampDays,
  DAYS,
  FEATURES,
} from '@hedgerow/domain/pricing'
import { NumberField } from '@hedgerow/ui/number-field.tsx'
import { Segmented } from '@hedgerow/ui/segmented.tsx'
import { Switch } from '@hedgerow/ui/switch.tsx'
import type { ReactNode } from 'react'
import type { Renewal } from '#features/orders/renewal.ts'
import { useCurrency } from '#shared/currency.tsx'
import type { Place } from '#shared/locations-query.ts'
import { useMissing } from '#shared/missing-filters.ts'
import { usePrices } from '#shared/prices-query.ts'

const CURRENCY_OPTIONS = CURRENCY_CODES.map((code) => ({
  value: code,
  label: `${CURRENCIES[code].symbol} ${code}`,
}))

/** How long people are away, for whom the number comes second. A weekend begins on a Friday. */
const STAYS = [
  { label: 'a weekend', days: 3 },
  { label: 'a week', days: 7 },
  { label: 'a fortnight', days: 14 },
  { label: 'a month', days: 30 },
]

const STAY =
  'min-h-11 rounded-field border border-outline px-1 text-sm whitespace-nowrap hover:border-hedge hover:text-hedge aria-pressed:border-hedge aria-pressed:bg-hedge aria-pressed:font-semibold aria-pressed:text-paper forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText] forced-colors:aria-pressed:forced-color-adjust-none'

type CalculatorControlsProps = {
  choice: Choice
  change: (part: Partial<Choice>) => void
  renewal: Renewal
  place: Place
  location: ReactNode
  /** Stands between the connections and the options. */
  children?: ReactNode
}

export const CalculatorControls = ({
  choice,
  change,
  renewal,
  place,
  location,
  children,
}: CalculatorControlsProps) => {
  const { currency, setCurrency } = useCurrency()
  const { featuresMinor } = usePrices()
  const missing = useMissing(place)
  const { days, connections, features } = choice
  return (
    <div>
      <fieldset className="mb-4 grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-2 sm:grid-cols-4">
        <legend className="sr-only">How long</legend>
        {STAYS.map((stay) => (
          <button
            key={stay.days}
            type="button"
            aria-pressed={days === stay.days}
            onClick={() => change({ days: stay.days })}
            className={STAY}
          >
            {stay.label}
          </button>
        ))}
      </fieldset>
      <NumberField
        label="Days"
        name="days"
        value={days}
        onChange={(value) => change({ days: value })}
        clamp={clampDays}
        rule={`Whole days from ${DAYS.min} to ${DAYS.max}`}
        {...DAYS}
        unit={days === 1 ? 'day' : 'days'}
        limitNote={`Up to ${DAYS.max} days`}
      />
      <div className="mt-4">
        <NumberField
          label="Connections"
          name="connections"
          value={connections}
          onChange={(value) => change({ connections: value })}
          clamp={clampConnections}
          rule={`From ${CONNECTIONS.min} to ${CONNECTIONS.max} connections`}
          {...CONNECTIONS}
          min={Math.max(CONNECTIONS.min, renewal.ids.length)}
          unit="connections"
          hint={`One for each device, ${CONNECTIONS.min} included`}
        />
      </div>
      {children}
      <fieldset className="mt-5 divide-y divide-line border-y border-line">
        <legend className="sr-only">Options</legend>
        {FEATURES.map(({ key, wire, label }) => (
          <Switch
            key={key}
            name={wire}
            label={label}
            note={formatMoney(featuresMinor[key], currency)}
            hint={renewal.kept[key] ?? missing(wire)}
            // What is on can be taken off.
            disabled={renewal.kept[key] !== undefined || (missing(wire) !== undefined && !features[key])}
            checked={features[key]}
            onChange={(checked) => change({ features: { ...features, [key]: checked } })}
          />
        ))}
      </fieldset>
      <div className="mt-5">
        <Segmented label="Currency" value={currency} onChange={setCurrency} options={CURRENCY_OPTIONS} />
      </div>
      {/* Last: it comes late, or not at all. */}
      {location}
    </div>
  )
}
