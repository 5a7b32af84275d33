import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type CallName, type OptionsOf, type ReplyOf } from '#lib/api.ts'

/** What a query is read again for: events of these kinds, of one record where an id is given. */
export type LiveOn = {
  kinds: readonly string[]
  id?: string
  /** So long the server may still give the answer from before: it is asked once more after that. */
  keptMs?: number
}

type Options = {
  live?: LiveOn
  isEnabled?: boolean
  everyMs?: number
  /** Each look is recorded: it is not repeated by itself, but for what is live. */
  isRecorded?: boolean
}

/** What a call of the operators' API answers, read again when what it shows has changed. */
export const useData = <N extends CallName>(
  name: N,
  options: OptionsOf<N>,
  { live, isEnabled = true, everyMs, isRecorded = false }: Options = {},
): UseQueryResult<ReplyOf<N>> =>
  useQuery({
    queryKey: [name, options],
    queryFn: ({ signal }) => api.call(name, { ...options, signal }),
    enabled: isEnabled,
    meta: { live },
    ...(isRecorded ? { staleTime: Number.POSITIVE_INFINITY } : {}),
    ...(everyMs ? { refetchInterval: everyMs } : {}),
  })

/** Reads again whatever is shown by these calls. */
export const useRefresh = () => {
  const client = useQueryClient()
  return (...names: readonly CallName[]): Promise<unknown> =>
    Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
}
