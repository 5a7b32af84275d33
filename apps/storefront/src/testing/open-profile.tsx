import { screen } from '@testing-library/react'
import { aProfile } from '#testing/fixtures.ts'
import { openShopAs } from '#testing/open-shop.tsx'
import type { stubServer } from '#testing/server.ts'

type Server = ReturnType<typeof stubServer>

export const PROFILE = aProfile({ firstName: 'Augusta', addressCity: 'London' })

/** The customer's own page, on the tab that the address names. */
export const openAccount = async (server: Server, path = '/profile?tab=profile') => {
  const view = await openShopAs(PROFILE, server, path)
  await screen.findByRole('heading', { name: 'Welcome, Ada' })
  return view
}

/** The same with the tab in which the profile is edited. */
export const openProfile = async (server: Server) => {
  const view = await openAccount(server)
  await screen.findByRole('heading', { name: 'Personal data' })
  return view
}
