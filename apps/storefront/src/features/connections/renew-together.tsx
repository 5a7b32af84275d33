import { ButtonLink } from '@hedgerow/ui/button.tsx'
import type { RenewalOffer } from '#features/connections/renewal-offer.ts'

/** What ended, or soon ends, on one day is renewed by one press. The most urgent is the one coloured button. */
export const RenewTogether = ({ offers }: { offers: readonly RenewalOffer[] }) => (
  <ul className="mb-6 divide-y divide-line rounded-card border border-line bg-blossom">
    {offers.map(({ ids, says, path }, position) => (
      <li
        key={path}
        className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:px-6"
      >
        <p className="min-w-0 wrap-anywhere tabular-nums">{says}</p>
        <ButtonLink to={path} variant={position === 0 ? 'solid' : 'outline'} className="max-sm:w-full">
          {`Renew ${ids.length} connections`}
        </ButtonLink>
      </li>
    ))}
  </ul>
)
