import { useMemo } from 'react'
import { useSearch } from 'wouter'
import { useHydrated } from '#lib/use-hydrated.ts'

const NOTHING = new URLSearchParams()

/**
 * The query parameters. A prerendered page was made without any, so they are empty until it has been taken over;
 * what the address says would differ from the markup and make React throw the page away.
 */
export const usePageSearch = (): URLSearchParams => {
  const search = useSearch()
  const hydrated = useHydrated()
  return useMemo(() => (hydrated ? new URLSearchParams(search) : NOTHING), [hydrated, search])
}
