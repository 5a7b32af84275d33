import type { OpenLocation } from '@hedgerow/contract/locations'
import { useQuery } from '@tanstack/react-query'
import { locationsQuery } from '#shared/locations-query.ts'

const LINES = 'min-h-[2lh] sm:min-h-[1lh]'

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' })

const sentence = (locations: readonly OpenLocation[]): string => {
  if (locations.some(({ isDemonstration }) => isDemonstration))
    return 'This shop is a demonstration: it has no servers yet.'
  if (locations.length === 0) return 'No server is taking new connections at the moment.'
  const namesOf = (isObfuscated: boolean) =>
    locations.flatMap((one) => ((one.isObfuscated ?? false) === isObfuscated ? one.name : []))
  const [plain, others] = [namesOf(false), namesOf(true)]
  return [
    ...(plain.length > 0
      ? [`Our ${plain.length === 1 ? 'server is' : 'servers are'} in ${LIST.format(plain)}.`]
      : []),
    ...(others.length > 0 ? [`For networks that block WireGuard: ${LIST.format(others)}.`] : []),
  ].join(' ')
}

/** Where the servers are that connections are sold on now, in one sentence. Its lines are there before the answer is: two on a phone. */
export const ServerPlaces = () => {
  const { data, isError } = useQuery(locationsQuery)
  if (data) {
    return (
      <p aria-live="polite" className={LINES}>
        {sentence(data)}
      </p>
    )
  }
  return (
    <p aria-live="polite" className={`text-quiet-ink ${LINES}`}>
      {isError ? 'The list of our servers could not be loaded just now.' : 'Looking up our servers…'}
    </p>
  )
}
