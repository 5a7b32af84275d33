import type { Partnership } from '@hedgerow/contract/partnership'
import { ToastProvider } from '@hedgerow/ui/toast.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { PartnershipPanel } from '#features/partnership/partnership-panel.tsx'
import { aPartnership } from '#testing/fixtures.ts'
import { stubServer } from '#testing/server.ts'

/** A server that knows of no withdrawal and of no movement. */
export const stubPartnership = () => {
  const server = stubServer()
  server.answers('listWithdrawals', 200, [])
  server.answers('getStatement', 200, { entries: [], hasMore: false })
  return server
}

/** The Partnership tab of the profile, by itself. */
export const openPartnership = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ToastProvider>
        <PartnershipPanel />
      </ToastProvider>
    </QueryClientProvider>,
  )

export const openPartnershipWith = async (
  server: ReturnType<typeof stubServer>,
  more: Partial<Partnership> = {},
) => {
  server.answers('getPartnership', 200, aPartnership(more))
  openPartnership()
  await screen.findByText('Level of participation')
}

/** Enough to request pounds, too little for euros. */
export const RICH: Partnership['balances'] = [
  { currency: 'EUR' as const, available: 12.5, pending: 0, requested: 0, paid: 0 },
  { currency: 'GBP' as const, available: 312.4, pending: 4.35, requested: 0, paid: 250 },
]
