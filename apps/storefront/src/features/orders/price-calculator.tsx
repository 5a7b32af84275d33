import { formatMoney } from '@hedgerow/domain/money'
import { type Choice, DEFAULT_CHOICE, totalMinor } from '@hedgerow/domain/pricing'
import { lazy, Suspense, useState } from 'react'
import { BuyButton } from '#features/orders/buy-button.tsx'
import { CalculatorControls } from '#features/orders/calculator-controls.tsx'
import { locationFrom, renewFrom } from '#features/orders/choice-params.ts'
import { receiptEntries } from '#features/orders/receipt-entries.ts'
import { NO_RENEWAL, type Renewal, withRenewal } from '#features/orders/renewal.ts'
import { usePageSearch } from '#lib/use-page-search.ts'
import { useCurrency } from '#shared/currency.tsx'
import { LocationField } from '#shared/location-field.tsx'
import type { Place } from '#shared/locations-query.ts'
import { useSession } from '#shared/session.tsx'
import { Receipt } from '#ui/receipt.tsx'

/** Only customers have something to extend: nobody else loads it. */
const RenewalChoice = lazy(() =>
  import('#features/orders/renewal-choice.tsx').then((m) => ({ default: m.RenewalChoice })),
)

type PriceCalculatorProps = {
  start?: Choice
  /** It was asked for before the log-in that led here. */
  isAskedFor?: boolean
}

/** What is chosen, beside what it costs and why. */
export const PriceCalculator = ({ start = DEFAULT_CHOICE, isAskedFor = false }: PriceCalculatorProps) => {
  const [chosen, setChosen] = useState(start)
  const [renewal, setRenewal] = useState<Renewal>()
  const { currency } = useCurrency()
  const { profile, state, problem } = useSession()
  const search = usePageSearch()
  const wanted = renewFrom(search)
  const asked = locationFrom(search)
  const [chosenPlace, setPlace] = useState<Place>()
  const place = chosenPlace ?? (asked ? { location: asked } : {})
  const connections = profile?.connections ?? []
  const isRenewing = profile !== null && (wanted.length > 0 || connections.some((one) => one.isRenewable))
  // A customer who logs out takes their connections with them.
  const own = (isRenewing && renewal) || NO_RENEWAL
  const choice = withRenewal(chosen, own)
  // Nobody orders new connections before it is there what the address says to extend.
  const isPending = isRenewing && wanted.length > 0 && !renewal
  // Nor is there anything to press that would move away when it comes.
  const isHidden = wanted.length > 0 && (isPending || (state === 'loading' && !problem))
  return (
    <div
      className={`grid rounded-card border border-line bg-surface md:grid-cols-[1.1fr_1fr] ${isHidden ? '*:invisible' : ''}`}
    >
      <div className="p-4 sm:p-8">
        <CalculatorControls
          choice={choice}
          change={(part) => setChosen((current) => ({ ...current, ...part }))}
          renewal={own}
          location={
            <LocationField place={place} onChange={setPlace} isKept={own.ids.length === choice.connections} />
          }
        >
          {isRenewing && (
            <Suspense>
              <RenewalChoice
                key={wanted.join()}
                connections={connections}
                wanted={wanted}
                bought={choice.connections}
                days={choice.days}
                onChange={setRenewal}
              />
            </Suspense>
          )}
        </CalculatorControls>
      </div>
      <div className="receipt-edge flex flex-col p-4 sm:p-8">
        <p className="mb-3 font-serif text-xl font-semibold">Your receipt</p>
        <Receipt
          lines={receiptEntries(choice, currency)}
          totalLabel="Total"
          total={formatMoney(totalMinor(choice), currency)}
          note="Prices include VAT. Paid once; nothing renews by itself."
        />
        <div className="mt-6">
          <BuyButton
            choice={choice}
            currency={currency}
            renew={profile ? own.ids : wanted}
            place={place}
            isPending={isPending}
            isAskedFor={isAskedFor}
          />
        </div>
      </div>
    </div>
  )
}
