import { formatMoney } from '@hedgerow/domain/money'
import { CONNECTIONS, NO_FEATURES, totalMinor } from '@hedgerow/domain/pricing'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { Hedge } from '@hedgerow/ui/page/hedge.tsx'
import { PriceCalculator } from '#features/orders/price-calculator.tsx'
import { Facts } from '#home/facts.tsx'
import { TicketPhone } from '#home/ticket-phone.tsx'
import { brand } from '#shared/brand.ts'
import { useCurrency } from '#shared/currency.tsx'
import { usePrices } from '#shared/prices-query.ts'

const A_DAY = { days: 1, connections: CONNECTIONS.min, features: NO_FEATURES }

/** What it is for and what it costs, before anything has a name. The calculator follows. */
export const Hero = () => {
  const { currency } = useCurrency()
  const prices = usePrices()
  return (
    <div id="start">
      <div className="flex gap-x-4 sm:gap-x-12">
        <div className="min-w-0 flex-1 md:py-8">
          <h1 tabIndex={-1} className="max-w-[16em] text-3xl text-balance sm:text-4xl">
            {`${brand.promise} `}
            <span className="text-hedge">
              From <span>{formatMoney(totalMinor(A_DAY, prices), currency)}</span> a day.
            </span>
          </h1>
          <p className="mt-3 text-lg text-quiet-ink">
            A WireGuard VPN for {CONNECTIONS.min} devices, for as many days as you need.
          </p>
          <Facts />
          <ButtonLink to="/products" className="mt-5">
            Get Vpn
          </ButtonLink>
        </div>
        <TicketPhone className="-mb-4 hidden w-32 shrink-0 self-end sm:block md:mr-8 md:w-52" />
      </div>
      <Hedge
        ground={false}
        className="pointer-events-none mr-4 text-hedge [mask-image:linear-gradient(to_right,black_80%,transparent)]"
      />
      <section id="products" aria-labelledby="products-heading" className="scroll-mt-6">
        <h2 id="products-heading" tabIndex={-1} className="sr-only">
          Price calculator
        </h2>
        <PriceCalculator />
      </section>
    </div>
  )
}
