import type { ResetReply } from '@hedgerow/contract/accounts'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Redirect, useLocation, useParams } from 'wouter'
import { ResetForm } from '#features/accounts/reset-form.tsx'

const ResetPage = () => {
  const token = useParams().token?.trim()
  const [, navigate] = useLocation()
  if (!token) return <Redirect to="/reset-failed" replace />
  // Replaced, so that the token does not stay in the history.
  const leaveFor = (path: string, state?: ResetReply) => navigate(path, { replace: true, state })
  return (
    <NarrowPage
      title="Choose a new password"
      lead="You will be logged out everywhere, and can then log in with the new one."
    >
      {/* The address holds the token: it is not sent to any page that is opened from here. */}
      <meta name="referrer" content="no-referrer" />
      <ResetForm
        token={token}
        onReset={(reply) => leaveFor('/reset-success', reply)}
        onFailed={() => leaveFor('/reset-failed')}
      />
    </NarrowPage>
  )
}

export default ResetPage
