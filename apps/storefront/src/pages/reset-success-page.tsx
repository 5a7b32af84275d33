import { ButtonLink } from '#ui/button.tsx'
import { NarrowPage } from '#ui/page/narrow-page.tsx'

const ResetSuccessPage = () => (
  <NarrowPage
    title="Your password is changed"
    lead="Password updated. Please, log in using your new password"
  >
    <ButtonLink to="/login" className="w-full">
      Continue
    </ButtonLink>
  </NarrowPage>
)

export default ResetSuccessPage
