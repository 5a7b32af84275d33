import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

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
