import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Link, Redirect } from 'wouter'
import { QuestionForm } from '#features/conversations/question-form.tsx'
import { brand } from '#shared/brand.ts'
import { useSession } from '#shared/session.tsx'

const ContactPage = () => {
  // A customer's question belongs with what they have written before.
  if (useSession().state === 'in') return <Redirect to="/support" replace />
  const { email } = brand.company
  return (
    <NarrowPage
      title="Contact"
      lead="Ask us anything before you buy. You don’t need an account. A person reads every question and answers by email."
    >
      <QuestionForm />
      <p className="mt-8 text-sm text-quiet-ink">
        Already a customer?{' '}
        <Link to="/support" className="link">
          Log in and write to support
        </Link>
        . You can also email{' '}
        <a href={`mailto:${email}`} className="link">
          {email}
        </a>
        .
      </p>
    </NarrowPage>
  )
}

export default ContactPage
