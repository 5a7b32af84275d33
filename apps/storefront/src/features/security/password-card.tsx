import { useToast } from '@hedgerow/ui/toast.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ChangePasswordForm } from '#features/security/change-password-form.tsx'
import { SecurityCard } from '#features/security/security-card.tsx'
import { SECURITY_KEY } from '#features/security/security-queries.ts'
import { useSession } from '#shared/session.tsx'

export const PasswordCard = () => {
  const { profile, retry } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  /** A form that was sent is followed by an empty one. */
  const [changes, setChanges] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  if (!profile) return null
  return (
    <SecurityCard
      title="Change your password"
      headingRef={heading}
      lead="Every other device is logged out, and every link to your connections ends. This device stays logged in. We will email you to confirm. If someone else knew the old password, make new keys under Connections too."
    >
      <ChangePasswordForm
        key={changes}
        email={profile.email}
        onChanged={() => {
          setChanges(changes + 1)
          // The button that was pressed goes with its form.
          heading.current?.focus()
          // The links to the connections have ended, and the other sessions.
          retry()
          void queryClient.invalidateQueries({ queryKey: SECURITY_KEY })
          toast('Your password has been changed')
        }}
      />
    </SecurityCard>
  )
}
