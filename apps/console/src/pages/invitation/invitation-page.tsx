import { ROLE_WORDS } from '@hedgerow/domain/operator-roles'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { KeyRound } from '@hedgerow/ui/icons.tsx'
import { makePasskey, passkeyMessageOf } from '@hedgerow/web/passkey.ts'
import { useState } from 'react'
import { api } from '#lib/api.ts'
import { Entrance } from '#shared/entrance.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { PasswordAndApp } from '#shared/password-and-app.tsx'
import { useData } from '#shared/use-data.ts'

/** Without what was copied with the link and cannot be in a token. */
const TOKEN = window.location.hash.replaceAll(/[^\w-]/g, '')

/** What an invited operator sets up before they are in: a passkey, or a password and an app. */
const InvitationPage = ({ onIn }: { onIn: () => void }) => {
  const invitation = useData('openInvitation', { body: { token: TOKEN } })
  const [wantsPassword, setWantsPassword] = useState(false)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)

  const byPasskey = async () => {
    setBusy(true)
    setProblem('')
    try {
      const question = invitation.data?.passkey
      if (!question) return
      const passkey = { ...(await makePasskey(question)), name: '' }
      await api.call('acceptInvitation', { body: { token: TOKEN, passkey } })
      onIn()
    } catch (error) {
      setProblem(passkeyMessageOf(error))
      await invitation.refetch()
    } finally {
      setBusy(false)
    }
  }

  return (
    <Entrance title="Welcome">
      <Loaded query={invitation}>
        {({ name, role, app }) => (
          <div className="space-y-4">
            <p>
              You are <strong>{name}</strong> here, and your role is <strong>{ROLE_WORDS[role]}</strong>.
              Choose how you will log in.
            </p>
            {problem && <FormNotice>{problem}</FormNotice>}
            <Button busy={isBusy} onClick={() => void byPasskey()} className="w-full">
              <KeyRound className="size-4" />
              Create passkey
            </Button>
            <p className="text-sm text-quiet-ink">
              A passkey is kept by your device, and opens with its screen lock. Nobody can guess it or ask you
              for it.
            </p>
            {wantsPassword ? (
              <PasswordAndApp
                name={name}
                app={app}
                verb="Set up and log in"
                send={async (given) => {
                  await api.call('acceptInvitation', { body: { token: TOKEN, app: given } })
                  onIn()
                }}
              />
            ) : (
              <Button variant="outline" onClick={() => setWantsPassword(true)} className="w-full">
                Use a password and an app instead
              </Button>
            )}
          </div>
        )}
      </Loaded>
    </Entrance>
  )
}

export default InvitationPage
