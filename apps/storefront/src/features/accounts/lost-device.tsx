import { ApiError } from '@hedgerow/contract/client'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { WAY_BACK_DAYS } from '@hedgerow/domain/second-step'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '#lib/api.ts'

type LostDeviceProps = {
  ticket: string
  email: string
  /** When the second step ends, where that was said before. */
  endsAt: string | null
  onAsked: (endsAt: string) => void
  onBack: () => void
  onOver: (message?: string) => void
}

/** What becomes of a second step that can no longer be answered, and when. */
export const LostDevice = ({ ticket, email, endsAt, onAsked, onBack, onOver }: LostDeviceProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.call('askForWayBack', { body: { ticket } }),
    onSuccess: ({ until }) => {
      onAsked(until)
      // The button is gone.
      heading.current?.focus()
    },
    onError: (error) => {
      if (error instanceof ApiError && error.problem.code === 'second-step-over') onOver(error.message)
    },
  })
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="space-y-5">
      <h2 ref={heading} tabIndex={-1} className="text-xl">
        If you have lost your device
      </h2>
      {error && !isPending && (
        <Notice kind="problem" title="Nothing was changed">
          {messageOf(error)}
        </Notice>
      )}
      {endsAt ? (
        <Notice kind="done" title={`The second step ends on ${formatLocalTime(new Date(endsAt))}`}>
          <p>
            We have emailed {email}, and will email it again a day before. After that you log in with the
            password alone.
          </p>
          <p className="mt-2">
            Found it? Log in with a passkey, the app or a recovery code, and the second step stays.
          </p>
        </Notice>
      ) : (
        <>
          <p>
            A recovery code opens the account at once. If you have none, we can turn the second step off. That
            takes {WAY_BACK_DAYS} days, so that nobody who only knows your password gets in.
          </p>
          <ul className="list-disc space-y-2 pl-5">
            <li>
              We email <span className="wrap-anywhere">{email}</span> now, a day before, and when it is off.
            </li>
            <li>
              Each email until then has a link that stops it. Logging in with the second step stops it too.
            </li>
            <li>
              After {WAY_BACK_DAYS} days the app and the recovery codes no longer work, every device is logged
              out, and you log in with the password alone. Your passkeys stay.
            </li>
          </ul>
          <Button busy={isPending} className="w-full" onClick={() => mutate()}>
            Turn it off in {WAY_BACK_DAYS} days
          </Button>
        </>
      )}
      <Button variant="quiet" className="-ml-5" onClick={onBack}>
        Back
      </Button>
    </div>
  )
}
