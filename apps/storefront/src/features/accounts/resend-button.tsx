import { useMutation } from '@tanstack/react-query'
import { api } from '#lib/api.ts'
import { messageOf } from '#lib/message-of.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/page/notice.tsx'

/** Sends the confirmation link once more; whether the account exists or waits for one is not said. */
export const ResendButton = ({ email }: { email: string }) => {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => api.call('resendConfirmation', { body: { username: email } }),
  })
  return (
    <div>
      {isSuccess && (
        <Notice kind="done" className="mb-3">
          If {email} still has to be confirmed, a new link is on its way. Check your spam folder too.
        </Notice>
      )}
      {error && (
        <Notice kind="problem" title="The link was not sent" className="mb-3">
          {messageOf(error)}
        </Notice>
      )}
      <Button variant="quiet" busy={isPending} onClick={() => mutate()} className="-ml-5">
        Send it again
      </Button>
    </div>
  )
}
