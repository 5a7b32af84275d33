import { formatMoney } from '@hedgerow/domain/money'
import { CONNECTIONS, NO_FEATURES, totalMinor } from '@hedgerow/domain/pricing'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useCurrency } from '#shared/currency.tsx'
import { locationsQuery } from '#shared/locations-query.ts'
import { usePrices } from '#shared/prices-query.ts'

const A_DAY = { days: 1, connections: CONNECTIONS.min, features: NO_FEATURES }

/** On one line of a phone, however many there are: nothing below may move when the list has come. */
const inPlaces = (names: readonly string[]): string => {
  const [one, two] = names
  if (!one) return 'WireGuard servers'
  if (!two) return `Servers in ${one}`
  return names.length === 2
    ? `Servers in ${one} and ${two}`
    : `Servers in ${one} and ${names.length - 1} more places`
}

/** Where it runs, what is kept, what it costs: what a stranger wants to know before anything else. */
export const Facts = () => {
  const { currency } = useCurrency()
  const prices = usePrices()
  const { data: locations = [] } = useQuery(locationsQuery)
  const places = inPlaces(locations.filter(({ isDemonstration }) => !isDemonstration).map(({ name }) => name))
  const facts = [
    { about: 'where', text: places },
    { about: 'kept', text: 'No log of what you visit' },
    {
      about: 'price',
      text: `${formatMoney(totalMinor(A_DAY, prices), currency)} a day for ${CONNECTIONS.min} devices, paid once`,
    },
  ]
  return (
    <ul className="mt-3 flex flex-col gap-x-6 gap-y-0.5 text-quiet-ink md:flex-row md:flex-wrap">
      {facts.map(({ about, text }) => (
        <li key={about} className="flex min-w-0 gap-2">
          <Check className="mt-[0.25em] size-[1em] shrink-0 text-hedge" aria-hidden="true" />
          <span className="min-w-0 xs:truncate">{text}</span>
        </li>
      ))}
    </ul>
  )
}
