import { ButtonLink } from '#ui/button.tsx'
import { NarrowPage } from '#ui/narrow-page.tsx'

export const PaymentRejectPage = () => (
  <NarrowPage
    title="Payment rejected"
    lead="Your bank or the payment system did not take the payment. You can try again from your order or with another card."
  >
    <p className="mb-6 text-quiet-ink">
      Not sure whether it went through? What you have paid for is in your profile.
    </p>
    <ButtonLink to="/profile" className="w-full">
      Continue
    </ButtonLink>
  </NarrowPage>
)
