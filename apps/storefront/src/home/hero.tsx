import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { Hedge } from '@hedgerow/ui/page/hedge.tsx'
import { PriceCalculator } from '#features/orders/price-calculator.tsx'
import { Facts } from '#home/facts.tsx'
import { brand } from '#shared/brand.ts'

/** The price is the hero: one sentence, three facts, and the calculator under them. */
export const Hero = () => (
  <div id="start">
    <h1 tabIndex={-1} className="text-3xl sm:text-4xl">
      {brand.tagline}
    </h1>
    <p className="mt-3 text-lg text-quiet-ink">
      A WireGuard VPN for a day, a month or a year: choose, pay once, and connect.
    </p>
    <Facts />
    <div className="flex items-end gap-4 pt-4">
      <ButtonLink to="/products" className="mb-7 shrink-0">
        Get Vpn
      </ButtonLink>
      {/* The hedge grows on the edge of the calculator. */}
      <Hedge
        ground={false}
        className="pointer-events-none -mt-8 mr-4 min-w-0 flex-1 text-hedge [mask-image:linear-gradient(to_right,black_80%,transparent)]"
      />
    </div>
    <section id="products" aria-labelledby="products-heading" className="scroll-mt-6">
      <h2 id="products-heading" tabIndex={-1} className="sr-only">
        Price calculator
      </h2>
      <PriceCalculator />
    </section>
  </div>
)
