import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { Link, useLocation } from 'wouter'
import { EarlierMessages } from '#features/conversations/earlier-messages.tsx'
import { SupportForm } from '#features/conversations/support-form.tsx'
import { useSession } from '#shared/session.tsx'

const SupportPage = () => {
  const { profile } = useSession()
  const [, navigate] = useLocation()
  const toast = useToast()
  if (!profile) return null
  const onSent = () => {
    toast('Thank you. We have your message and will answer by email.')
    navigate('/')
  }
  return (
    <NarrowPage
      title="Support and feedback"
      lead="Is something not working, or could it be better? A person reads this, and answers by email and in your profile."
    >
      <SupportForm profile={profile} onSent={onSent} />
      <p className="mt-6 text-quiet-ink">
        For help with setting up a connection, see the{' '}
        <Link to="/clients" className="link">
          manual
        </Link>
        .
      </p>
      <EarlierMessages />
    </NarrowPage>
  )
}

export default SupportPage
