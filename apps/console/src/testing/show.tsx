import { type OperatorRole, permissionsOf } from '@hedgerow/domain/operator-roles'
import { ToastProvider } from '@hedgerow/ui/toast.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { SessionProvider } from '#shared/session.tsx'

export const aSession = (role: OperatorRole = 'owner') => ({
  operator: { id: 'wren', name: 'Wren', role, permissions: permissionsOf(role) },
  endsAt: '2026-11-21T22:05:00.000Z',
  version: '1.0.0',
})

/** A part of the console by itself, as an operator of this role sees it. */
export const show = (part: ReactNode, role?: OperatorRole) =>
  render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ToastProvider>
          <SessionProvider session={aSession(role)}>{part}</SessionProvider>
        </ToastProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
