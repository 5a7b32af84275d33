import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Link, useLocation } from 'wouter'
import { EmailForm } from '#features/accounts/email-form.tsx'
import { api } from '#lib/api.ts'
import { useGoingTo, wayIn } from '#lib/going-to.ts'

/** At /forgot and at /reset. */
const ForgotPage = () => {
  const [, navigate] = useLocation()
  const redirectUrl = useGoingTo()
  const login = wayIn('/login', { redirectUrl })
  return (
    <NarrowPage
      title="Reset your password"
      lead="Enter the email of your account. We will send you a link to choose a new password."
    >
      <EmailForm
        label="Continue"
        failure="The link was not sent"
        call={(body) => api.call('forgotPassword', { body: { ...body, redirectUrl } })}
        onSent={(resetRequestedFor) => navigate(login, { state: { resetRequestedFor } })}
      />
      <p className="mt-6 text-quiet-ink">
        Remembered your password?{' '}
        <Link to={login} className="link">
          Log in
        </Link>
        .
      </p>
    </NarrowPage>
  )
}

export default ForgotPage
