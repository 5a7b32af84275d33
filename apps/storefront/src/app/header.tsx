import { Link, NavLink } from 'react-router'
import { AccountMenu } from '#app/account-menu.tsx'
import { brand } from '#app/brand.ts'
import { CurrencySelect } from '#app/currency-select.tsx'
import { Mark } from '#app/mark.tsx'

const LINKS = [
  { to: '/', label: 'Home' },
  { to: '/products', label: 'Products' },
  { to: '/clients', label: 'Manual' },
] as const

/** On a phone two rows: the name and the account, the links and the currency. */
export const Header = () => (
  <header className="border-b border-line">
    <div className="mx-auto grid max-w-page grid-cols-[auto_1fr_auto] items-center px-4 py-2 sm:px-6 md:flex md:gap-x-3 md:py-3">
      <Link
        to="/"
        className="flex min-h-11 items-center gap-2 font-serif text-xl font-semibold tracking-tight whitespace-nowrap"
      >
        <Mark className="size-7 text-hedge max-[22rem]:hidden" />
        {brand.name}
      </Link>
      <nav aria-label="Main" className="-mx-2 flex max-md:col-span-2 max-md:row-start-2 md:mx-3">
        {LINKS.map(({ to, label }) => (
          <NavLink
            key={to}
            to={to}
            end
            className="inline-flex min-h-11 items-center px-2 font-medium text-quiet-ink hover:text-ink md:px-3 aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-hedge aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8"
          >
            {label}
          </NavLink>
        ))}
      </nav>
      <div className="-mr-2 max-md:row-start-2 md:mr-0 md:ml-auto">
        <CurrencySelect />
      </div>
      <div className="flex min-w-0 justify-end max-md:col-span-2 max-md:col-start-2 max-md:row-start-1">
        <AccountMenu />
      </div>
    </div>
  </header>
)
