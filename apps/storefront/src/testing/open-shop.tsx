import type { Profile } from '@hedgerow/contract/accounts'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { expect } from 'vitest'
import { useLocation, useSearch } from 'wouter'
import { routes } from '#app/routes.tsx'
import { Storefront } from '#app/storefront.tsx'
import { forgetToken, storeToken } from '#lib/access-token.ts'
import type { stubServer } from '#testing/server.ts'

const Address = () => {
  const [pathname] = useLocation()
  const search = useSearch()
  return <p data-testid="address">{pathname + (search && `?${search}`)}</p>
}

/** The whole shop at an address, as main.tsx renders it, with what the history holds for it. */
export const openShop = async (path: string, historyState: unknown = null) => {
  await Promise.all(routes.map(({ preload }) => preload()))
  window.history.replaceState(historyState, '', path)
  return render(
    <StrictMode>
      <Storefront />
      <Address />
    </StrictMode>,
  )
}

/** The page of a mailed link, once it has been looked at. */
export const openLink = async (path: string) => {
  const shop = await openShop(path)
  const loading = () => shop.container.querySelector('main [role=status]')
  await waitFor(() => expect(loading()).toBeNull())
  return shop
}

export const openShopAs = (
  profile: Profile,
  server: ReturnType<typeof stubServer>,
  path: string,
  historyState?: unknown,
) => {
  storeToken('a-token')
  server.answers('getProfile', 200, profile)
  return openShop(path, historyState)
}

/** Leaves the page, as a reload does. Who is logged in is to be said anew. */
export const leavePage = () => {
  cleanup()
  forgetToken()
}

/** Closes the tab. */
export const closeShop = () => {
  leavePage()
  sessionStorage.clear()
}

export const address = () => screen.getByTestId('address').textContent

const control = (label: string | RegExp) => screen.getByLabelText(label)

/** Types into a field, or chooses from a list. */
export const enter = (field: HTMLElement, value: string) => {
  const happen = field instanceof HTMLSelectElement ? fireEvent.change : fireEvent.input
  happen(field, { target: { value } })
}

/** Types into a field and leaves it. */
export const fill = (label: string | RegExp, value: string) => {
  const field = control(label)
  fireEvent.focus(field)
  enter(field, value)
  fireEvent.blur(field)
}

export const tick = (label: string | RegExp) => {
  fireEvent.click(control(label))
  fireEvent.blur(control(label))
}

export const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

/** Everything that was begun has gone as far as it goes by itself. */
export const settle = () => new Promise<void>((over) => setTimeout(over))
