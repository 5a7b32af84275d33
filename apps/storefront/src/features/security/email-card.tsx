import { Button } from '@hedgerow/ui/button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { EmailChangeForm } from '#features/security/email-change-form.tsx'
import { PendingEmail } from '#features/security/pending-email.tsx'
import { SECURITY_KEY } from '#features/security/security-queries.ts'
import { api } from '#lib/api.ts'
import { useSession } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'

const emailChangeQuery = queryOptions({
  queryKey: ['email-change'],
  queryFn: ({ signal }) => api.call('getEmailChange', { signal }),
  // The link is used elsewhere: coming back from there, the customer sees it.
  staleTime: 0,
})

/** The account's address, and how it gets another: by a link that is mailed there. */
export const EmailCard = () => {
  const { profile, retry } = useSession()
  const { data, error, refetch, isFetching } = useQuery(emailChangeQuery)
  const queryClient = useQueryClient()
  const toast = useToast()
  const heading = useRef<HTMLHeadingElement>(null)
  const notice = useRef<HTMLDivElement>(null)

  const email = data?.email ?? profile?.email
  // It was changed by the link, in another tab or on another device.
  const isNew = profile !== null && data !== undefined && data.email !== profile.email
  useEffect(() => {
    if (isNew) retry()
  }, [isNew, retry])

  const isWaiting = data && data.pending !== null
  const wasWaiting = useRef(isWaiting)
  useEffect(() => {
    // The form by which it was asked for is gone, and the focus with it.
    if (wasWaiting.current === false && isWaiting) notice.current?.focus()
    wasWaiting.current = isWaiting
  }, [isWaiting])

  const reload = async () => {
    // Recent activity tells of it too.
    void queryClient.invalidateQueries({ queryKey: SECURITY_KEY })
    await queryClient.invalidateQueries({ queryKey: emailChangeQuery.queryKey })
  }

  if (!data && error) {
    return (
      <Notice kind="problem" title="Your email did not load">
        <p>{messageOf(error)}</p>
        <Button variant="outline" className="mt-3" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="rounded-field text-xl">
        Email
      </h2>
      <p className="mt-1 mb-5 max-w-measure text-quiet-ink">
        You log in with this address, and we write to it:{' '}
        <span className="font-medium wrap-anywhere text-ink">{email}</span>
      </p>
      {!data && <Skeleton lines={2} className="max-w-measure" />}
      {data?.undoable && (
        <Notice kind="info" title="Your email was changed" className="mb-5 max-w-measure">
          On <Time at={data.undoable.changedAt} isDay />, from{' '}
          <span className="font-medium wrap-anywhere">{data.undoable.oldEmail}</span>. We sent a link there
          that undoes the change until <Time at={data.undoable.undoUntil} isDay />.
        </Notice>
      )}
      {data?.pending ? (
        <PendingEmail
          {...data.pending}
          ref={notice}
          onSent={() => {
            toast('The link has been sent again')
            void reload()
          }}
          onWithdrawn={() => {
            // Its own buttons are gone by then.
            heading.current?.focus()
            toast('The change was withdrawn')
            void reload()
          }}
        />
      ) : (
        data && <EmailChangeForm onAsked={reload} />
      )}
    </Card>
  )
}
