import { useHandedOn, wayIn } from '#lib/going-to.ts'
import { ButtonLink } from '#ui/button.tsx'
import { NarrowPage } from '#ui/page/narrow-page.tsx'

const ResetSuccessPage = () => (
  <NarrowPage
    title="Your password is changed"
    lead="Password updated. Please, log in using your new password"
  >
    <ButtonLink to={wayIn('/login', useHandedOn())} className="w-full">
      Continue
    </ButtonLink>
    <p className="mt-4 text-sm text-quiet-ink">
      If somebody else may have been in your account, make new keys for your connections too: log in, open
      Manage at each, and cut the old ones off.
    </p>
  </NarrowPage>
)

export default ResetSuccessPage
