import { Link, useLocation } from 'wouter'
import { AccountMenu } from '#app/account-menu.tsx'
import { CurrencySelect } from '#app/currency-select.tsx'
import { Mark } from '#app/mark.tsx'
import { HOME, MANUAL, PARTNERSHIP_LINKS, PRODUCTS, SUPPORT } from '#app/nav-links.ts'
import { brand } from '#shared/brand.ts'
import { MENU_ITEM, Menu } from '#ui/menu.tsx'

const BAR_ITEM =
  'min-h-11 items-center px-3 font-medium text-quiet-ink hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-hedge aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8'

const BAR_LINK = `inline-flex ${BAR_ITEM}`
const EVERYWHERE = [HOME, PRODUCTS, ...PARTNERSHIP_LINKS, MANUAL, SUPPORT]

type Place = { to: string; label: string }

const Places = ({ places, className }: { places: readonly Place[]; className: string }) => {
  const [pathname] = useLocation()
  return places.map(({ to, label }) => (
    <Link key={to} to={to} aria-current={to === pathname ? 'page' : undefined} className={className}>
      {label}
    </Link>
  ))
}

/** On a phone two rows: the name and the account, then a menu of all links and the currency. */
export const Header = () => (
  <header className="border-b border-line">
    <div className="mx-auto grid max-w-page grid-cols-[auto_1fr] items-center px-4 py-2 sm:px-6 lg:flex lg:gap-x-3 lg:py-3">
      <Link
        to="/"
        className="flex min-h-11 items-center gap-2 font-serif text-xl font-semibold tracking-tight whitespace-nowrap"
      >
        <Mark className="size-7 text-hedge" />
        {brand.name}
      </Link>
      <nav aria-label="Main" className="mx-3 hidden lg:flex">
        <Places places={[HOME, PRODUCTS]} className={BAR_LINK} />
        <Menu name="Partnership" label="Partnership" className={`flex ${BAR_ITEM}`}>
          <Places places={PARTNERSHIP_LINKS} className={MENU_ITEM} />
        </Menu>
        <Places places={[MANUAL, SUPPORT]} className={BAR_LINK} />
      </nav>
      <div className="row-start-2 -ml-3 lg:hidden">
        <Menu name="Main" label="Menu" className="flex px-3 font-medium">
          <Places places={EVERYWHERE} className={MENU_ITEM} />
        </Menu>
      </div>
      <div className="row-start-2 -mr-2 justify-self-end lg:mr-0 lg:ml-auto">
        <CurrencySelect />
      </div>
      <div className="col-start-2 row-start-1 flex min-w-0 justify-end pl-3 lg:pl-0">
        <AccountMenu />
      </div>
    </div>
  </header>
)
