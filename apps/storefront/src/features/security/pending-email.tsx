import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import type { Ref } from 'react'
import { api } from '#lib/api.ts'
import { Time } from '#shared/time.tsx'

type PendingEmailProps = {
  email: string
  expiresAt: string
  /** Takes the focus once the form is gone by which it was asked for. */
  ref: Ref<HTMLDivElement>
  onSent: () => void
  onWithdrawn: () => void
}

/** A new address that waits for its link to be used. */
export const PendingEmail = ({ email, expiresAt, ref, onSent, onWithdrawn }: PendingEmailProps) => {
  const again = useMutation({
    mutationFn: () => api.call('askForEmailChange', { body: { email } }),
    onSuccess: onSent,
  })
  const withdrawal = useMutation({
    mutationFn: () => api.call('withdrawEmailChange', {}),
    onSuccess: onWithdrawn,
  })
  return (
    <div ref={ref} tabIndex={-1} className="max-w-measure rounded-field">
      {again.error && !again.isPending && (
        <Notice kind="problem" title="The link was not sent again" className="mb-4">
          {messageOf(again.error)}
        </Notice>
      )}
      {withdrawal.error && !withdrawal.isPending && (
        <Notice kind="problem" title="The change was not withdrawn" className="mb-4">
          {messageOf(withdrawal.error)}
        </Notice>
      )}
      <Notice kind="info" title="Check your inbox">
        <p>
          We sent a link to <span className="font-medium wrap-anywhere">{email}</span>. It works until{' '}
          <Time at={expiresAt} />. Until you use it, your email stays as it is. Check your spam folder too.
        </p>
      </Notice>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="outline" busy={again.isPending} onClick={() => again.mutate()}>
          Send again
        </Button>
        <Button variant="quiet" busy={withdrawal.isPending} onClick={() => withdrawal.mutate()}>
          Withdraw
        </Button>
      </div>
    </div>
  )
}
