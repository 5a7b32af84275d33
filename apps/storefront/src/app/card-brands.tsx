import blik from '#app/blik.svg'
import eu from '#app/eu.svg'
import mastercard from '#app/mastercard.svg'
import visa from '#app/visa.svg'

// The marks are black on nothing; in the dark they are turned over.
const MARKS = [
  { src: visa, name: 'Visa', look: 'h-7 w-auto opacity-75 dark:invert' },
  { src: mastercard, name: 'Mastercard', look: 'h-6 w-auto opacity-75 dark:invert' },
  { src: blik, name: 'Blik', look: 'h-4 w-auto opacity-75 dark:invert' },
  { src: eu, name: 'European Union', look: 'h-6 w-auto' },
]

/** How one can pay, as files of their own: they cost the script nothing, and load when they come into view. */
export const CardBrands = () => (
  <ul aria-label="Ways to pay" className="flex flex-wrap gap-2">
    {MARKS.map(({ src, name, look }) => (
      <li
        key={name}
        className="grid h-10 w-14 place-items-center rounded-field border border-line bg-surface"
      >
        <img src={src} alt={name} width="32" height="24" loading="lazy" className={look} />
      </li>
    ))}
  </ul>
)
