import { Link } from 'wouter'
import { ButtonLink } from '#ui/button.tsx'
import { NarrowPage } from '#ui/page/narrow-page.tsx'

const ResetFailedPage = () => (
  <NarrowPage title="Nothing was changed" lead="Password reset failed. Your password reset link is invalid">
    <ButtonLink to="/login" className="mb-6 w-full">
      Continue
    </ButtonLink>
    <p className="text-quiet-ink">
      A link works once, for one hour. Is yours younger? Open it again from your mail, or{' '}
      <Link to="/forgot" className="link">
        ask for a new one
      </Link>
      .
    </p>
  </NarrowPage>
)

export default ResetFailedPage
