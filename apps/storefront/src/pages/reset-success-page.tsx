import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { useHandedOn, wayIn } from '#lib/going-to.ts'

const ResetSuccessPage = () => (
  <NarrowPage
    title="Your password has been changed"
    lead="Password updated. Please, log in using your new password"
  >
    <ButtonLink to={wayIn('/login', useHandedOn())} className="w-full">
      Continue
    </ButtonLink>
    <p className="mt-4 text-sm text-quiet-ink">
      If someone else may have had access to your account, make new keys for your connections too. Log in,
      open Manage on each connection, and cut off the old keys.
    </p>
  </NarrowPage>
)

export default ResetSuccessPage
