import { formatMoney } from '@hedgerow/domain/money'
import { type Choice, DEFAULT_CHOICE, totalMinor } from '@hedgerow/domain/pricing'
import { ReceiptLines } from '@hedgerow/ui/receipt.tsx'
import { lazy, Suspense, useState } from 'react'
import { BuyButton } from '#features/orders/buy-button.tsx'
import { CalculatorControls } from '#features/orders/calculator-controls.tsx'
import { placeFrom, renewFrom } from '#features/orders/choice-params.ts'
import { OtherDoor } from '#features/orders/doors.tsx'
import { PlanOffer } from '#features/orders/plan-offer.tsx'
import { receiptEntries } from '#features/orders/receipt-entries.ts'
import { NO_RENEWAL, type Renewal, withRenewal } from '#features/orders/renewal.ts'
import { WhatYouGet } from '#features/orders/what-you-get.tsx'
import { usePageSearch } from '#lib/use-page-search.ts'
import { useCurrency } from '#shared/currency.tsx'
import { LocationField } from '#shared/location-field.tsx'
import type { Place } from '#shared/locations-query.ts'
import { usePrices } from '#shared/prices-query.ts'
import { useSession } from '#shared/session.tsx'
import { useConnectionsWith } from '#shared/use-connections.ts'

/** Only customers have something to extend: no one else loads it. */
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
  const prices = usePrices()
  const { profile, state, problem } = useSession()
  const search = usePageSearch()
  const wanted = renewFrom(search)
  const [chosenPlace, setPlace] = useState<Place>()
  const place = chosenPlace ?? placeFrom(search)
  const { connections, error } = useConnectionsWith(wanted)
  const isRenewing =
    profile !== null &&
    (wanted.length > 0
      ? connections !== undefined || error !== null
      : connections?.some((one) => one.isRenewable) === true)
  // A customer who logs out takes their connections with them.
  const own = (isRenewing && renewal) || NO_RENEWAL
  const choice = withRenewal(chosen, own)
  // Nobody orders new connections before it is there what the address says to extend.
  const isPending = profile !== null && wanted.length > 0 && (!connections || !renewal)
  // Nor is there anything to press that would move away when it comes.
  const isHidden = wanted.length > 0 && ((isPending && !error) || (state === 'loading' && !problem))
  const bought = { choice, currency, renew: profile ? own.ids : wanted, place }
  return (
    <div
      className={`grid gap-x-6 max-md:rounded-card max-md:border max-md:border-line max-md:bg-surface md:grid-cols-[1.1fr_1fr] md:grid-rows-[auto_auto_auto_1fr] ${isHidden ? '*:invisible' : ''}`}
    >
      <div className="min-w-0 p-4 sm:p-8 md:row-span-4 md:rounded-card md:border md:border-line md:bg-surface">
        <CalculatorControls
          choice={choice}
          change={(part) => setChosen((current) => ({ ...current, ...part }))}
          renewal={own}
          place={place}
          location={
            <LocationField place={place} onChange={setPlace} isKept={own.ids.length === choice.connections} />
          }
        >
          {isRenewing && (
            <Suspense>
              <RenewalChoice
                key={wanted.join()}
                wanted={wanted}
                bought={choice.connections}
                days={choice.days}
                onChange={setRenewal}
              />
            </Suspense>
          )}
        </CalculatorControls>
      </div>
      <div className="receipt-head p-4 sm:p-8 sm:pb-4 md:col-start-2 md:pb-0">
        <p className="mb-3 font-serif text-xl font-semibold">Your receipt</p>
        <ReceiptLines lines={receiptEntries(choice, currency, prices)} />
        {/* A plan makes new connections: it extends none. */}
        {own.ids.length === 0 && wanted.length === 0 && <PlanOffer choice={choice} currency={currency} />}
        <WhatYouGet days={choice.days} isRenewing={own.ids.length > 0} />
      </div>
      <div className="buy-bar flex flex-wrap items-center gap-x-4 gap-y-3 rounded-b-card bg-surface px-4 py-3 sm:px-8 md:col-start-2 md:block md:rounded-none md:pt-4 md:pb-0">
        <div className="md:flex md:items-baseline md:justify-between md:gap-4 md:border-t-2 md:border-ink md:pt-3">
          <p className="font-semibold max-md:text-sm">Total</p>
          <output className="block text-2xl font-semibold tracking-tight tabular-nums max-md:leading-tight md:text-3xl">
            {formatMoney(totalMinor(choice, prices), currency)}
          </output>
        </div>
        {/* A button alone stands beside the total; what it has to say takes a line of its own. */}
        <div className="min-w-40 flex-1 has-[p]:basis-full md:mt-4">
          <BuyButton {...bought} isPending={isPending} isAskedFor={isAskedFor} />
        </div>
      </div>
      <div className="receipt-foot px-4 sm:px-8 md:col-start-2 md:min-h-8 md:pb-4">
        {state === 'out' && <OtherDoor {...bought} />}
      </div>
    </div>
  )
}
