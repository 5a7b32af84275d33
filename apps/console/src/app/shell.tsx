import { ROLE_WORDS } from '@hedgerow/domain/operator-roles'
import { ErrorBoundary } from '@hedgerow/ui/error-boundary.tsx'
import { Menu as MenuIcon, Search, UserRound } from '@hedgerow/ui/icons.tsx'
import { Mark } from '@hedgerow/ui/mark.tsx'
import { MENU_ITEM, Menu } from '@hedgerow/ui/menu.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { type RefObject, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { KeysHelp, useKeys } from '#app/keys.tsx'
import { PhoneMenu, SideMenu } from '#app/menu-groups.tsx'
import { Palette } from '#app/palette.tsx'
import { PLACES, placeAt } from '#app/places.ts'
import { api } from '#lib/api.ts'
import { brandName } from '#lib/brand-name.ts'
import { forgetLooks, keepLooksOf } from '#lib/looked-at.ts'
import { keepTheme, readTheme, THEMES, type Theme } from '#lib/theme.ts'
import { AskAgain } from '#shared/ask-again.tsx'
import { Page } from '#shared/page.tsx'
import { PlaceOpens } from '#shared/place-opens.tsx'
import { useMay, useSession } from '#shared/session.tsx'
import { useLive } from '#shared/use-live.ts'

const THEME_WORDS: Readonly<Record<Theme, string>> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
}

const ThemeChoice = () => {
  const [theme, setTheme] = useState(readTheme)
  return (
    <fieldset className="px-3 py-2">
      <legend className="text-sm text-quiet-ink">Colours</legend>
      {THEMES.map((one) => (
        <label key={one} className="flex min-h-9 items-center gap-2">
          <input
            type="radio"
            name="theme"
            checked={theme === one}
            onChange={() => {
              keepTheme(one)
              setTheme(one)
            }}
          />
          {THEME_WORDS[one]}
        </label>
      ))}
    </fieldset>
  )
}

const AccountMenu = ({ onKeys }: { onKeys: () => void }) => {
  const { operator, version } = useSession()
  const logOut = async () => {
    await api.call('logOutOperator', {}).catch(() => undefined)
    forgetLooks()
    window.location.assign('/')
  }
  return (
    <Menu
      name="Account"
      align="end"
      label={
        <>
          <UserRound className="size-5" />
          <span className="max-sm:sr-only">{operator.name}</span>
        </>
      }
      className="flex px-2 text-quiet-ink hover:text-ink"
    >
      <p className="px-3 py-2 text-sm text-quiet-ink">
        {operator.name}, {ROLE_WORDS[operator.role]}
      </p>
      <Link to="/account" className={MENU_ITEM}>
        My account
      </Link>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: choosing keeps the menu open */}
      <div onClick={(event) => event.stopPropagation()}>
        <ThemeChoice />
      </div>
      <button type="button" className={`${MENU_ITEM} max-lg:hidden`} onClick={onKeys}>
        Keyboard shortcuts
      </button>
      <button type="button" className={MENU_ITEM} onClick={() => void logOut()}>
        Log out
      </button>
      <p className="px-3 py-2 text-sm text-quiet-ink">Version {version}</p>
    </Menu>
  )
}

const onNetwork = (changed: () => void) => {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

const Offline = () => {
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine)
  return isOnline ? null : (
    <Notice kind="warning" className="mb-4">
      You are offline. What you see is as it was; nothing is sent until the network is back.
    </Notice>
  )
}

const Refused = () => (
  <Page title="Not for your role">
    <p>Your role may not see this page. An owner can change that.</p>
  </Page>
)

const Nowhere = () => (
  <Page title="There is nothing here">
    <EmptyState
      title="This address leads nowhere"
      action={
        <Link to="/" className="link">
          Go to Today
        </Link>
      }
    >
      It may have been mistyped, or what it led to is gone.
    </EmptyState>
  </Page>
)

/** After a navigation the focus goes to the heading, to be read out. */
const FocusHeading = ({ hasMoved }: { hasMoved: RefObject<boolean> }) => {
  // Mounted anew with each page, once that has been loaded.
  useEffect(() => {
    if (hasMoved.current) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    hasMoved.current = true
    window.scrollTo(0, 0)
  }, [hasMoved])
  return null
}

/** The menu may be longer than the window: where one is, is in view. */
const useMenuInView = (here: string) => {
  useEffect(() => {
    document.querySelector('aside [aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [here])
}

/** The frame of every page of those who are logged in. */
export const Shell = () => {
  const [isSearching, setSearching] = useState(false)
  const [isShowingKeys, setShowingKeys] = useState(false)
  const { operator } = useSession()
  const [here] = useLocation()
  const may = useMay()
  useLive()
  const [openSearch] = useState(() => () => setSearching(true))
  const [openKeys] = useState(() => () => setShowingKeys(true))
  useKeys({ onSearch: openSearch, onHelp: openKeys })
  useEffect(() => keepLooksOf(operator.id), [operator.id])
  const hasMoved = useRef(false)
  useMenuInView(here)
  const opens = (address: string) => {
    const found = placeAt(address)
    return found !== undefined && may(found.may)
  }
  return (
    <PlaceOpens value={opens}>
      <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
        <a
          href="#main"
          className="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:m-2 focus:bg-surface focus:p-3"
        >
          Skip to the page
        </a>
        <aside className="sticky top-0 h-dvh overflow-y-auto border-r border-line px-3 py-2 max-lg:hidden">
          <Link
            to="/"
            className="mb-2 flex min-h-10 items-center gap-2 px-3 font-serif text-lg font-semibold"
          >
            <Mark className="size-6 text-hedge" />
            {brandName}
          </Link>
          <nav aria-label="Console">
            <SideMenu />
          </nav>
        </aside>
        <div className="min-w-0">
          <header className="flex items-center gap-2 border-b border-line px-4 py-2 sm:px-6">
            <div className="lg:hidden">
              <Menu
                name="Console"
                label={<span className="sr-only">Menu</span>}
                icon={<MenuIcon className="size-6" />}
                className="-ml-2 flex min-w-11 justify-center"
              >
                <PhoneMenu />
              </Menu>
            </div>
            <button
              type="button"
              onClick={openSearch}
              className="flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-field border border-outline bg-surface px-3 text-quiet-ink transition-colors duration-150 hover:border-hedge hover:text-hedge sm:max-w-form"
            >
              <Search className="size-4 shrink-0" />
              <span className="truncate">Search</span>
              <kbd className="ml-auto font-sans text-sm max-sm:hidden">/</kbd>
            </button>
            <div className="ml-auto">
              <AccountMenu onKeys={openKeys} />
            </div>
          </header>
          <main id="main" className="mx-auto max-w-[80rem] px-4 py-6 sm:px-6">
            <Offline />
            <ErrorBoundary key={here}>
              <Suspense fallback={<Skeleton lines={8} />}>
                <Switch>
                  {PLACES.map(({ path, may: permission, Page: One }) => (
                    <Route key={path} path={path}>
                      {may(permission) ? <One /> : <Refused />}
                    </Route>
                  ))}
                  <Route>
                    <Nowhere />
                  </Route>
                </Switch>
                <FocusHeading hasMoved={hasMoved} />
              </Suspense>
            </ErrorBoundary>
          </main>
        </div>
        <KeysHelp open={isShowingKeys} onClose={() => setShowingKeys(false)} />
        {isSearching && <Palette onClose={() => setSearching(false)} />}
        <AskAgain />
      </div>
    </PlaceOpens>
  )
}
