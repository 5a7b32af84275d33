import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Link } from 'wouter'
import { emailFromSearch } from '#features/accounts/email-from-search.ts'
import { ResendButton } from '#features/accounts/resend-button.tsx'
import { useHandedOn, wayIn } from '#lib/going-to.ts'
import { usePageSearch } from '#lib/use-page-search.ts'

const ConfirmPage = () => {
  const email = emailFromSearch(usePageSearch())
  const { redirectUrl } = useHandedOn()
  return (
    <NarrowPage title="Check your email">
      <p className="text-lg">
        We sent a confirmation email to <strong className="break-words">{email ?? 'your address'}</strong>.
        Open the link in it to complete your registration. It works for 24 hours.
      </p>
      <div className="mt-6 mb-6">
        {/* Not the next step, which is in the mail. */}
        <ButtonLink to={wayIn('/login', { redirectUrl, email })} variant="outline" className="w-full">
          Login
        </ButtonLink>
      </div>
      <p className="text-quiet-ink">
        Nothing arrived, or was the address wrong? Check your spam folder, or{' '}
        <Link to={wayIn('/signup', { redirectUrl })} className="link">
          repeat the registration
        </Link>
        .
      </p>
      {email && <ResendButton email={email} />}
    </NarrowPage>
  )
}

export default ConfirmPage
