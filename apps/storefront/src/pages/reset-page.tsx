import { Redirect, useLocation, useParams } from 'wouter'
import { ResetForm } from '#features/accounts/reset-form.tsx'
import { NarrowPage } from '#ui/page/narrow-page.tsx'

const ResetPage = () => {
  const token = useParams().token?.trim()
  const [, navigate] = useLocation()
  if (!token) return <Redirect to="/reset-failed" replace />
  // Replaced, so that the token does not stay in the history.
  const leaveFor = (path: string) => navigate(path, { replace: true })
  return (
    <NarrowPage
      title="Choose a new password"
      lead="Afterwards you are logged out everywhere and log in with the new one."
    >
      {/* The address holds the token: it is not sent to any page that is opened from here. */}
      <meta name="referrer" content="no-referrer" />
      <ResetForm
        token={token}
        onReset={() => leaveFor('/reset-success')}
        onFailed={() => leaveFor('/reset-failed')}
      />
    </NarrowPage>
  )
}

export default ResetPage
