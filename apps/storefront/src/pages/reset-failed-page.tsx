import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Link } from 'wouter'

const ResetFailedPage = () => (
  <NarrowPage title="Nothing was changed" lead="Password reset failed. Your password reset link is invalid">
    <ButtonLink to="/login" className="mb-6 w-full">
      Continue
    </ButtonLink>
    <p className="text-quiet-ink">
      A link works once, for one hour. If you requested it within the last hour, open it again from your
      email, or{' '}
      <Link to="/forgot" className="link">
        request a new one
      </Link>
      .
    </p>
  </NarrowPage>
)

export default ResetFailedPage
