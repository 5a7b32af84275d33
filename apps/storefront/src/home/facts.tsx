import { Check } from '@hedgerow/ui/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import { locationsQuery } from '#shared/locations-query.ts'

/** On one line of a phone, however many there are: nothing below may move when the list has come. */
const inPlaces = (names: readonly string[]): string => {
  const [one, two] = names
  if (!one) return 'WireGuard servers'
  if (!two) return `Servers in ${one}`
  return names.length === 2
    ? `Servers in ${one} and ${two}`
    : `Servers in ${one} and ${names.length - 1} more places`
}

/** What is kept, what it costs in the end, where it runs: what a stranger wants to know before anything else. */
export const Facts = () => {
  const { data: locations = [] } = useQuery(locationsQuery)
  const places = inPlaces(locations.filter(({ isDemonstration }) => !isDemonstration).map(({ name }) => name))
  return (
    <ul className="@container mt-3 flex flex-col gap-y-0.5 text-quiet-ink">
      {['No log of what you visit', 'Pay once: nothing renews by itself', places].map((text, at) => (
        <li key={at} className="flex min-w-0 gap-2">
          <Check className="mt-[0.25em] size-[1em] shrink-0 text-hedge" />
          <span className="min-w-0 @min-[18rem]:truncate">{text}</span>
        </li>
      ))}
    </ul>
  )
}
