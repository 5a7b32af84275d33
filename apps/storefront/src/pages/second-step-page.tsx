import { ApiError } from '@hedgerow/contract/client'
import { useMutation } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { api } from '#lib/api.ts'
import { messageOf } from '#lib/message-of.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { NarrowPage } from '#ui/page/narrow-page.tsx'
import { Notice } from '#ui/page/notice.tsx'

const Keep = ({ token }: { token: string }) => {
  // A press, not the visit: programs open the links of mails, and an owner who has lost the device wants the wait.
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => api.call('stopWayBack', { body: { token } }),
  })
  if (isSuccess)
    return (
      <Notice kind="done" title="The second step stays">
        <p>The wait has been stopped. If it was not you who began it, someone knows your password.</p>
        <ButtonLink to="/forgot" variant="outline" className="mt-3">
          Choose a new password
        </ButtonLink>
      </Notice>
    )
  if (error instanceof ApiError && error.status === 400 && !isPending)
    return (
      <Notice kind="problem" title="This link no longer works">
        <p>{error.message}</p>
        <ButtonLink to="/profile" variant="outline" className="mt-3">
          Open my account
        </ButtonLink>
      </Notice>
    )
  return (
    <div className="space-y-5">
      {error && !isPending && (
        <Notice kind="problem" title="The wait was not stopped">
          {messageOf(error)}
        </Notice>
      )}
      <p>
        Someone said that the device for your second step is lost, and we are waiting to turn the step off. If
        this was not you, stop it here.
      </p>
      <Button busy={isPending} className="w-full" onClick={() => mutate()}>
        Keep the second step
      </Button>
    </div>
  )
}

/** Where the mails lead that tell of the wait. */
const SecondStepPage = () => {
  const token = useParams().token?.trim() ?? ''
  return (
    <NarrowPage title="Keep the second step">
      {/* The address holds the token: it is not sent to any page that is opened from here. */}
      <meta name="referrer" content="no-referrer" />
      <Keep key={token} token={token} />
    </NarrowPage>
  )
}

export default SecondStepPage
