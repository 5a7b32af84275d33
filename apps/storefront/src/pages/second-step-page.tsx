import { ApiError } from '@hedgerow/contract/client'
import { Button, ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '#lib/api.ts'
import { useLinkToken } from '#lib/use-link-token.ts'
import { useMailedLink } from '#shared/use-mailed-link.ts'

const Keep = ({ token }: { token: string }) => {
  const link = useMailedLink('second-step', token)
  // A press, not the visit: programs open the links of mails, and an owner who has lost the device wants the wait.
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => api.call('stopWayBack', { body: { token } }),
  })
  const outcome = useRef<HTMLDivElement>(null)
  // The button is gone, and with it the focus.
  useEffect(() => outcome.current?.focus(), [isSuccess, error])
  if (isSuccess)
    return (
      <div ref={outcome} tabIndex={-1} className="rounded-field">
        <Notice kind="done" title="The second step stays">
          <p>The wait has been stopped. If you did not start it, someone knows your password.</p>
          <ButtonLink to="/forgot" variant="outline" className="mt-3">
            Choose a new password
          </ButtonLink>
        </Notice>
      </div>
    )
  if (link.isLooking) return <Skeleton className="h-32" />
  const pressedTooLate = error instanceof ApiError && error.status === 400 ? error.message : undefined
  const over = link.over ?? pressedTooLate
  if (over && !isPending)
    return (
      <div ref={outcome} tabIndex={-1} className="rounded-field">
        <Notice kind="info" title="There is nothing to stop">
          <p>{over}</p>
          <ButtonLink to="/profile" variant="outline" className="mt-3">
            Open my account
          </ButtonLink>
        </Notice>
      </div>
    )
  return (
    <div className="space-y-5">
      {error && !isPending && (
        <Notice kind="problem" title="The wait was not stopped">
          {messageOf(error)}
        </Notice>
      )}
      <p>
        Someone said that the device for your second step is lost, so we will turn the step off after the
        wait. If this was not you, stop it here.
      </p>
      <Button busy={isPending} className="w-full" onClick={() => mutate()}>
        Keep the second step
      </Button>
    </div>
  )
}

/** Where the mails lead that tell of the wait. */
const SecondStepPage = () => {
  const token = useLinkToken()
  return (
    <NarrowPage title="Keep the second step">
      <Keep key={token} token={token} />
    </NarrowPage>
  )
}

export default SecondStepPage
