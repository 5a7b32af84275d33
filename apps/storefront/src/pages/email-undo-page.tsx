import { FACTOR_TRIAL_DAYS } from '@hedgerow/domain/second-step'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { UndoEmailForm } from '#features/accounts/undo-email-form.tsx'
import { wayIn } from '#lib/going-to.ts'
import { useLinkToken } from '#lib/use-link-token.ts'
import { brand } from '#shared/brand.ts'
import { PROFILE_KEY } from '#shared/profile-query.ts'
import { useMailedLink } from '#shared/use-mailed-link.ts'

const UndoEmail = ({ token }: { token: string }) => {
  const queryClient = useQueryClient()
  const link = useMailedLink('email-undo', token)
  const [email, setEmail] = useState<string>()
  const outcome = useRef<HTMLDivElement>(null)
  // The form is gone, and with it the focus.
  useEffect(() => {
    if (email) outcome.current?.focus()
  }, [email])

  if (email || link.isDone)
    return (
      <NarrowPage title="The change was undone">
        <div ref={outcome} tabIndex={-1} className="rounded-field">
          <Notice kind="done">
            {email ? (
              <>
                Your email is <span className="font-medium wrap-anywhere">{email}</span> again.
              </>
            ) : (
              'The address that received this link is your email again.'
            )}{' '}
            Every device was logged out. Log in with your new password.
          </Notice>
        </div>
        <ButtonLink to={wayIn('/login', { email, redirectUrl: '/profile/security' })} className="mt-6 w-full">
          Log in
        </ButtonLink>
        <p className="mt-4 text-sm text-quiet-ink">
          Then look at the passkeys under Security, and remove any you don’t know. Make new keys for your
          connections too: open Manage on each connection, and cut off the old keys.
        </p>
      </NarrowPage>
    )
  if (link.over)
    return (
      <NarrowPage title="This link no longer works" lead={link.over}>
        <p>
          A link works once, for 7 days after the change. If your email was changed and it wasn’t you, write
          to{' '}
          <a href={`mailto:${brand.company.email}`} className="link">
            {brand.company.email}
          </a>
          .
        </p>
      </NarrowPage>
    )
  if (link.isLooking)
    return (
      <NarrowPage title="Undo the change of your email">
        <Skeleton className="h-72" />
      </NarrowPage>
    )
  return (
    <NarrowPage
      title="Undo the change of your email"
      lead="Your account goes back to the address that received this link. Choose a new password, as someone else may know the old one."
    >
      <UndoEmailForm
        token={token}
        email={link.email}
        onUndone={(restored) => {
          setEmail(restored)
          // A session of the account has ended here too.
          void queryClient.refetchQueries({ queryKey: PROFILE_KEY })
        }}
      />
      <div className="mt-6 space-y-3 text-quiet-ink">
        <p>
          Every device is logged out, and links to your connections end. Passkeys, authenticator apps and
          recovery codes added from {FACTOR_TRIAL_DAYS} days before the change was requested are removed.
          Earlier ones stay, so look at them afterwards.
        </p>
        <p>
          The link works once, for 7 days after the change. If it no longer works, write to{' '}
          <a href={`mailto:${brand.company.email}`} className="link">
            {brand.company.email}
          </a>
          .
        </p>
      </div>
    </NarrowPage>
  )
}

const EmailUndoPage = () => <UndoEmail token={useLinkToken()} />

export default EmailUndoPage
