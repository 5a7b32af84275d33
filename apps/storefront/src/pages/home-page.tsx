import { BeforeBuying } from '#home/before-buying.tsx'
import { Benefits } from '#home/benefits.tsx'
import { Hero } from '#home/hero.tsx'
import { Manual } from '#home/manual.tsx'
import { PlacesAhead } from '#home/places-ahead.tsx'
import { Plans } from '#home/plans.tsx'

/** One page at four addresses: /features, /products and /clients open it at that section. */
const HomePage = () => (
  <>
    <Hero />
    <PlacesAhead />
    <Plans />
    <Manual />
    <Benefits />
    <BeforeBuying />
  </>
)

export default HomePage
