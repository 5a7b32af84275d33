import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { StatementForm } from '#features/cancellation/statement-form.tsx'
import { brand } from '#shared/brand.ts'
import { useSession } from '#shared/session.tsx'

const CancelPage = () => {
  const isCustomer = useSession().state === 'in'
  const { email, phone } = brand.company
  return (
    <NarrowPage
      title="Cancel or withdraw from a contract"
      lead="You can withdraw from a purchase within 14 days, without giving a reason. We refund what you have not used. The button beside the purchase in your payment history does it at once, and shows the amount first."
    >
      <StatementForm title={isCustomer ? 'For a purchase on another account' : 'Without logging in'}>
        <div className="mb-8 border-b border-line pb-10">
          <ButtonLink to="/profile?tab=history">
            {isCustomer ? 'Go to your payments' : 'Log in and cancel'}
          </ButtonLink>
        </div>
      </StatementForm>
      <p className="mt-8 text-sm text-quiet-ink">
        You can also tell us by email to{' '}
        <a href={`mailto:${email}`} className="link">
          {email}
        </a>
        {phone && `, by telephone, ${phone},`} or by letter. How the refund is worked out, and a form to
        print, are in the{' '}
        <a href="/terms" className="link">
          terms
        </a>
        .
      </p>
    </NarrowPage>
  )
}

export default CancelPage
