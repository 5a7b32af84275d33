import { ApiError } from '@hedgerow/contract/client'
import { Button, ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '#lib/api.ts'
import { wayIn } from '#lib/going-to.ts'
import { useLinkToken } from '#lib/use-link-token.ts'
import { PROFILE_KEY } from '#shared/profile-query.ts'
import { useSession } from '#shared/session.tsx'
import { useMailedLink } from '#shared/use-mailed-link.ts'

/** Opening the link does nothing: programs that look at mails open it too. */
const ConfirmEmail = ({ token }: { token: string }) => {
  const { profile } = useSession()
  const link = useMailedLink('email-confirm', token)
  const queryClient = useQueryClient()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const reply = await api.call('confirmEmailChange', { body: { token } })
      // It may be the account that is logged in here.
      await queryClient.refetchQueries({ queryKey: PROFILE_KEY })
      return reply
    },
  })
  const outcome = useRef<HTMLDivElement>(null)
  // The button is gone, and with it the focus.
  useEffect(() => {
    if (data) outcome.current?.focus()
  }, [data])

  const isOver = link.over !== undefined || (error instanceof ApiError && error.status === 400)
  const problem = link.over ?? (error && messageOf(error))
  const isIn = profile?.email === data?.email
  if (data)
    return (
      <NarrowPage title="Your email was changed">
        <div ref={outcome} tabIndex={-1} className="rounded-field">
          <Notice kind="done">
            Log in with <span className="font-medium wrap-anywhere">{data.email}</span> from now on. We have
            written to your old address too.
          </Notice>
        </div>
        <ButtonLink to={isIn ? '/profile' : wayIn('/login', { email: data.email })} className="mt-6 w-full">
          {isIn ? 'Open my account' : 'Log in'}
        </ButtonLink>
      </NarrowPage>
    )
  return (
    <NarrowPage
      title={isOver ? 'This link no longer works' : 'Confirm your new email'}
      lead={
        isOver
          ? undefined
          : 'From then on you log in with the address that received this link. Your password stays as it is.'
      }
    >
      {problem && !isPending && (
        <Notice kind="problem" title="Your email was not changed" className="mb-5">
          {problem}
        </Notice>
      )}
      {link.isLooking ? (
        <Skeleton className="h-12" />
      ) : isOver ? (
        <ButtonLink to="/profile/security" variant="outline" className="w-full">
          Open Security
        </ButtonLink>
      ) : (
        <Button className="w-full" busy={isPending} onClick={() => mutate()}>
          Confirm my new email
        </Button>
      )}
      <p className="mt-6 text-quiet-ink">
        If you did not request this, close this page. Nothing happens until you press the button.
      </p>
    </NarrowPage>
  )
}

const EmailConfirmPage = () => <ConfirmEmail token={useLinkToken()} />

export default EmailConfirmPage
