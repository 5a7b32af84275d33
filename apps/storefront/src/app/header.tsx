import { Menu as MenuIcon } from '@hedgerow/ui/icons.tsx'
import { Mark } from '@hedgerow/ui/mark.tsx'
import { MENU_ITEM, Menu } from '@hedgerow/ui/menu.tsx'
import { Link, useLocation } from 'wouter'
import { AccountMenu } from '#app/account-menu.tsx'
import { CurrencySelect } from '#app/currency-select.tsx'
import { HOME, MANUAL, PARTNERSHIP_LINKS, PRODUCTS, SUPPORT } from '#app/nav-links.ts'
import { brand } from '#shared/brand.ts'

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

/** One row, on a phone too: there a menu holds all links. Where letters are too large for that it wraps. */
export const Header = () => (
  <header className="border-b border-line">
    <div className="mx-auto flex max-w-page flex-wrap items-center px-4 py-2 sm:px-6 lg:py-3">
      <Link
        to="/"
        className="mr-2 flex min-h-11 shrink-0 items-center gap-2 font-serif text-lg font-semibold tracking-tight whitespace-nowrap sm:text-xl"
      >
        <Mark className="size-6 text-hedge sm:size-7 max-[22rem]:hidden" />
        {brand.name}
      </Link>
      <nav aria-label="Main" className="ml-4 hidden lg:flex">
        <Places places={[HOME, PRODUCTS]} className={BAR_LINK} />
        <Menu name="Partnership" label="Partnership" className={`flex ${BAR_ITEM}`}>
          <Places places={PARTNERSHIP_LINKS} className={MENU_ITEM} />
        </Menu>
        <Places places={[MANUAL, SUPPORT]} className={BAR_LINK} />
      </nav>
      <div className="flex min-w-0 flex-1 basis-[8.5rem] items-center justify-end gap-1 sm:gap-3">
        <CurrencySelect />
        <AccountMenu />
      </div>
      <div className="-mr-2.5 ml-1 lg:hidden [&>.menu]:mr-2.5">
        <Menu
          name="Main"
          label={<span className="sr-only">Menu</span>}
          icon={<MenuIcon className="size-6" />}
          align="end"
          className="flex min-w-11 justify-center"
        >
          <Places places={EVERYWHERE} className={MENU_ITEM} />
        </Menu>
      </div>
    </div>
  </header>
)
