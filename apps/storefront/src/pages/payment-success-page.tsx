import { ButtonLink } from '#ui/button.tsx'
import { NarrowPage } from '#ui/page/narrow-page.tsx'

const PaymentSuccessPage = () => (
  <NarrowPage
    title="Payment is successful!"
    lead="Your connections are in your profile, each with a QR code to scan."
  >
    <ButtonLink to="/profile" className="w-full">
      Continue
    </ButtonLink>
  </NarrowPage>
)

export default PaymentSuccessPage
