import type { SecurityEventReply } from '@hedgerow/contract/sessions'
import { SECURITY_EVENT_DAYS, wordsOfEvent } from '@hedgerow/domain/security-events'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { NotLoaded } from '#features/security/not-loaded.tsx'
import { SecurityCard } from '#features/security/security-card.tsx'
import { eventsQuery } from '#features/security/security-queries.ts'
import { seenFrom } from '#features/security/seen-from.ts'
import { Time } from '#shared/time.tsx'

const Event = ({ event }: { event: SecurityEventReply }) => (
  <li className="py-3">
    <p className="wrap-anywhere">
      {wordsOfEvent(event.kind)}
      {event.times > 1 && `, ${event.times} times within the hour`}
    </p>
    <p className="text-sm wrap-anywhere text-quiet-ink tabular-nums">
      <Time at={event.lastAt} />, {seenFrom(event)}
    </p>
  </li>
)

const Events = () => {
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(eventsQuery)
  if (!data && error)
    return (
      <NotLoaded what="Recent activity" error={error} isFetching={isFetching} retry={() => void refetch()} />
    )
  if (!data) return <Skeleton label="Loading recent activity" lines={8} className="min-h-100 py-3" />
  const events = data.pages.flatMap((page) => page.events)
  if (events.length === 0) return <p className="text-quiet-ink">Nothing yet.</p>
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {events.map((event) => (
          <Event key={event._id} event={event} />
        ))}
      </ul>
      {error && (
        <Notice kind="info" className="mt-4">
          {messageOf(error)}
        </Notice>
      )}
      {hasNextPage && (
        <Button
          variant="outline"
          className="mt-5 w-full sm:w-auto"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </>
  )
}

export const ActivityCard = () => (
  <SecurityCard
    title="Recent activity"
    lead={`What happened to your account. If you don’t recognise something, change your password. We keep this for ${SECURITY_EVENT_DAYS} days, with the browser’s name and only the network, not the full address.`}
  >
    <Events />
  </SecurityCard>
)
