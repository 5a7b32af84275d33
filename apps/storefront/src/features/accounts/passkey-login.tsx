import type { Profile } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import { api } from '#lib/api.ts'
import { PasskeyButton, type Passkeys } from '#shared/passkey-button.tsx'

type PasskeyLoginProps = { onLogIn: (token: string, profile: Profile) => void }

/** For who has a passkey: neither an email nor a password is typed. */
export const PasskeyLogin = ({ onLogIn }: PasskeyLoginProps) => {
  const logIn = async ({ answer, forget }: Passkeys) => {
    const passkey = await answer(await api.call('loginPasskeyOptions', {}))
    try {
      const { access_token, profile } = await api.call('loginByPasskey', { body: passkey })
      onLogIn(access_token, profile)
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.problem.code === 'unknown-passkey'
      if (isUnknown) void forget(passkey.credential.id)
      throw error
    }
  }
  return (
    <PasskeyButton failure="You are not logged in" variant="quiet" className="w-full" act={logIn}>
      Log in with a passkey
    </PasskeyButton>
  )
}
