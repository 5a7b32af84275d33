import { daysAfter, formatLocalDay } from '@hedgerow/domain/dates'
import { Check } from '@hedgerow/ui/icons.tsx'
import { useHydrated } from '#lib/use-hydrated.ts'

type WhatYouGetProps = { days: number; isRenewing: boolean }

/** What else there is to know of a purchase, each a fact on a line. */
export const WhatYouGet = ({ days, isRenewing }: WhatYouGetProps) => {
  const counted = days === 1 ? '1 day' : `${days} days`
  // A prerendered page does not know the day on which it is read.
  const isToday = useHydrated()
  const end = isToday
    ? `Works until ${formatLocalDay(daysAfter(new Date(), days))} if you pay today.`
    : `Works for ${counted} from when you pay.`
  const facts = [
    isRenewing ? `Adds ${counted} to what you extend.` : end,
    'Cancel within 14 days and we refund the unused part.',
    'Prices include VAT. You pay once. Nothing renews by itself.',
  ]
  return (
    <ul className="space-y-1 pt-4 text-sm text-quiet-ink">
      {facts.map((fact) => (
        <li key={fact} className="flex gap-2">
          <Check className="mt-[0.2em] size-[1.1em] shrink-0 text-hedge" />
          <span>{fact}</span>
        </li>
      ))}
    </ul>
  )
}
