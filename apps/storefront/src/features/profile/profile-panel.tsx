import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import type { ReactNode } from 'react'
import { DeleteAccount } from '#features/profile/delete-account.tsx'
import { DownloadData } from '#features/profile/download-data.tsx'
import { PersonalData } from '#features/profile/personal-data.tsx'
import { useSession } from '#shared/session.tsx'

type SectionProps = { title: string; lead: string; children: ReactNode }

const Section = ({ title, lead, children }: SectionProps) => (
  <Card>
    <h2 className="text-xl">{title}</h2>
    <p className="mt-1 mb-5 max-w-measure text-quiet-ink">{lead}</p>
    {children}
  </Card>
)

type ProfilePanelProps = {
  /** Conversations with us, which are another feature’s. */
  messages: ReactNode
  /** What else is lost with the account. */
  warning: ReactNode
}

export const ProfilePanel = ({ messages, warning }: ProfilePanelProps) => {
  const { profile, leave } = useSession()
  const toast = useToast()
  if (!profile) return null
  return (
    <div className="space-y-6">
      <PersonalData key={profile._id} profile={profile} />
      {messages}
      <Section
        title="Security"
        lead="Your password, where you are logged in, and what happened to your account."
      >
        <ButtonLink to="/profile/security" variant="outline">
          Security settings
        </ButtonLink>
      </Section>
      <Section
        title="Your data"
        lead="Everything we hold about you, as one file. It includes the keys of your connections, so keep it to yourself."
      >
        <DownloadData />
      </Section>
      <Section
        title="Delete your account"
        lead="With your profile and your connections, at once and for good."
      >
        <DeleteAccount
          email={profile.email}
          warning={warning}
          onDeleted={() => {
            leave()
            toast('Your account has been deleted')
          }}
        />
      </Section>
    </div>
  )
}
