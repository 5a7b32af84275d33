import { ApiError } from '@hedgerow/contract/client'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useQuery } from '@tanstack/react-query'
import { SharedConnectionTicket } from '#features/connections/shared-connection-ticket.tsx'
import { useShareToken } from '#features/connections/use-share-token.ts'
import { api } from '#lib/api.ts'
import { useHydrated } from '#lib/use-hydrated.ts'

const Shown = () => {
  const token = useShareToken()
  const { data, error, refetch } = useQuery({
    queryKey: ['shared', token],
    queryFn: ({ signal }) => api.call('readSharedConnection', { body: { token }, signal }),
    enabled: token !== '',
  })
  if (token === '')
    return (
      <Notice kind="warning" title="The link is incomplete">
        Open the whole link as it was sent to you, including everything after the # sign.
      </Notice>
    )
  if (error instanceof ApiError && error.status === 404)
    return (
      <Notice kind="problem" title="This link has ended">
        {error.message}
      </Notice>
    )
  // A link that was withdrawn shows nothing more, whatever it showed a moment ago.
  if (error instanceof ApiError && error.status < 500)
    return (
      <Notice kind="problem" title="There is nothing to show">
        {error.message}
      </Notice>
    )
  if (data) return <SharedConnectionTicket sharedConnection={data} />
  if (error)
    return (
      <Notice kind="problem" title="The connection could not be loaded">
        <p>{messageOf(error)}</p>
        <Button variant="outline" className="mt-3" onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  return <Skeleton lines={6} className="max-w-measure" />
}

/** Its address is known only to those who were given it, with a token after the #. */
const SharedConnectionPage = () => {
  const isHydrated = useHydrated()
  return (
    <>
      <PageHeader title="A shared connection" />
      {isHydrated ? <Shown /> : <Skeleton lines={6} className="max-w-measure" />}
    </>
  )
}

export default SharedConnectionPage
