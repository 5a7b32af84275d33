import type { Profile } from '@hedgerow/contract/accounts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

export const PROFILE_KEY = ['profile'] as const

const readPage = (after: string, signal: AbortSignal) =>
  api.page('listConnections', { querystring: { after }, signal })

type Page = Awaited<ReturnType<typeof readPage>>

/** One that was extended since the page before was read may come again. */
const append = (profile: Profile, { rows, next }: Page): Profile => {
  const known = new Set(profile.connections.map(({ _id }) => _id))
  const connections = [...profile.connections, ...rows.filter(({ _id }) => !known.has(_id))]
  return { ...profile, connections, nextConnections: next }
}

/** A profile that was loaded anew, with as many connections as are shown by then. */
export const readOn = async (
  loaded: Profile,
  queryClient: QueryClient,
  signal: AbortSignal,
): Promise<Profile> => {
  const shown = () => queryClient.getQueryData<Profile>(PROFILE_KEY)?.connections.length ?? 0
  let profile = loaded
  while (profile.nextConnections !== undefined && profile.connections.length < shown())
    profile = append(profile, await readPage(profile.nextConnections, signal))
  return profile
}

/** Reads the next connections into the profile, where all look for them. */
export const nextConnectionsQuery = (queryClient: QueryClient, after: string) =>
  queryOptions({
    queryKey: ['connections', after],
    queryFn: async ({ signal }) => {
      const page = await readPage(after, signal)
      // What was loaded anew meanwhile goes on at another place.
      queryClient.setQueryData<Profile>(PROFILE_KEY, (profile) =>
        profile?.nextConnections === after ? append(profile, page) : profile,
      )
      return null
    },
    // What it has read is the profile's: as long as that asks for it, it is to be read.
    staleTime: 0,
    gcTime: 0,
    // Another place of the page that needs them too does not try again by itself.
    retryOnMount: false,
  })

/** All connections of the account, whatever is shown of them. */
export const readAllConnections = async (queryClient: QueryClient): Promise<Profile['connections']> => {
  const profile = () => queryClient.getQueryData<Profile>(PROFILE_KEY)
  for (let after = profile()?.nextConnections; after !== undefined; after = profile()?.nextConnections)
    await queryClient.fetchQuery(nextConnectionsQuery(queryClient, after))
  return profile()?.connections ?? []
}
