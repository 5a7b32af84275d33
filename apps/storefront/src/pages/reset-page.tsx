import type { ResetReply } from '@hedgerow/contract/accounts'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { Redirect, useLocation } from 'wouter'
import { ResetForm } from '#features/accounts/reset-form.tsx'
import { useLinkToken } from '#lib/use-link-token.ts'
import { useMailedLink } from '#shared/use-mailed-link.ts'

const ResetPage = () => {
  const token = useLinkToken()
  const { email, over, isLooking } = useMailedLink('reset', token, token !== '')
  const [, navigate] = useLocation()
  if (!token || over) return <Redirect to="/reset-failed" replace />
  // Replaced, so that the token does not stay in the history.
  const leaveFor = (path: string, state?: ResetReply) => navigate(path, { replace: true, state })
  return (
    <NarrowPage
      title="Choose a new password"
      lead="You will be logged out everywhere, and can then log in with the new one."
    >
      {isLooking ? (
        <Skeleton className="h-72" />
      ) : (
        <ResetForm
          token={token}
          email={email}
          onReset={(reply) => leaveFor('/reset-success', reply)}
          onFailed={() => leaveFor('/reset-failed')}
        />
      )}
    </NarrowPage>
  )
}

export default ResetPage
