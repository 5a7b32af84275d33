import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { useLocation } from 'wouter'
import { ApplicationForm } from '#features/conversations/application-form.tsx'
import { EarlierMessages } from '#features/conversations/earlier-messages.tsx'
import { useSession } from '#shared/session.tsx'

const SubmitPage = () => {
  const { profile } = useSession()
  const [, navigate] = useLocation()
  const toast = useToast()
  if (!profile) return null
  const onSent = () => {
    toast('Thank you. We have your application and will answer by email.')
    navigate('/')
  }
  return (
    <NarrowPage
      title="White label application"
      lead="Tell us about the shop you would like to open. A person reads this and answers by email."
    >
      <ApplicationForm profile={profile} onSent={onSent} />
      <EarlierMessages />
    </NarrowPage>
  )
}

export default SubmitPage
