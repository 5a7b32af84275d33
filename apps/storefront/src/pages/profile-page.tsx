import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { PROFILE_KEY, useSession } from '#app/session.tsx'
import { ConnectionList } from '#features/connections/connection-list.tsx'
import { PageHeader } from '#ui/page-header.tsx'

/** A payment may have come through since the profile was loaded. */
const useFreshProfile = () => {
  const queryClient = useQueryClient()
  useEffect(() => {
    void queryClient.refetchQueries({ queryKey: PROFILE_KEY, stale: true })
  }, [queryClient])
}

/** The only section so far; the others come as tabs beside it, at `?tab=…`. */
export const ProfilePage = () => {
  const { profile } = useSession()
  useFreshProfile()
  if (!profile) return null
  return (
    <>
      <PageHeader title={`Welcome, ${profile.name}`} />
      <section aria-labelledby="connections">
        <h2 id="connections" className="text-xl">
          Connections
        </h2>
        {profile.connections.length > 0 && (
          <p className="mt-1 text-quiet-ink">
            Scan a code with the WireGuard app, or open the file on the device.{' '}
            <Link to="/clients" className="link">
              How to connect
            </Link>
          </p>
        )}
        <div className="mt-5">
          <ConnectionList connections={profile.connections} email={profile.email} />
        </div>
      </section>
    </>
  )
}
