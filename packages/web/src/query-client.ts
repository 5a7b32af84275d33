import { ApiError } from '@hedgerow/contract/client'
import { QueryClient } from '@tanstack/react-query'

const RETRIES = 2

/** An answer that the server explained will not change by asking again; a lost connection or a fault may. */
const mayHelp = (error: Error) => !(error instanceof ApiError) || error.status >= 500

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (count, error) => count < RETRIES && mayHelp(error) },
      // Without a network a press fails at once and says so, rather than wait unseen until there is one.
      mutations: { networkMode: 'always' },
    },
  })
