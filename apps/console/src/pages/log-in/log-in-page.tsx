import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { KeyRound } from '@hedgerow/ui/icons.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { answerPasskey, passkeyMessageOf } from '@hedgerow/web/passkey.ts'
import { type FormEvent, useState } from 'react'
import { api } from '#lib/api.ts'
import { Entrance } from '#shared/entrance.tsx'
import { useData } from '#shared/use-data.ts'

/** By a passkey; or by name and password, and then the code of the app. */
type LogInProps = {
  onIn: () => Promise<void>
  /** They were in, and are no more. */
  isOver?: boolean
}

const LogInPage = ({ onIn, isOver = false }: LogInProps) => {
  const [ticket, setTicket] = useState<string>()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const sso = useData('getSso', {})

  const attempt = async (send: () => Promise<void>) => {
    setBusy(true)
    setProblem('')
    try {
      await send()
    } catch (error) {
      setProblem(passkeyMessageOf(error))
      // What a ticket was for is over by then, or one more try is left: a new one costs a password.
      if ((error as { status?: number }).status === 401 && /log in again/.test(String(error)))
        setTicket(undefined)
    } finally {
      setBusy(false)
    }
  }

  const byPasskey = () =>
    attempt(async () => {
      const question = await api.call('operatorPasskeyOptions', {})
      await api.call('logInByOperatorPasskey', { body: await answerPasskey(question) })
      await onIn()
    })

  const bySso = () =>
    attempt(async () => {
      const { address } = await api.call('beginSso', {})
      window.location.assign(address)
    })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const typed = (name: string) => String(data.get(name) ?? '')
    void attempt(async () => {
      if (ticket === undefined) {
        const body = { name: typed('name'), password: typed('password') }
        return setTicket((await api.call('logInOperator', { body })).ticket)
      }
      await api.call('finishOperatorLogIn', { body: { ticket, code: typed('code') } })
      await onIn()
    })
  }

  return (
    <Entrance title="Log in">
      {isOver && !problem && (
        <Notice kind="info" className="mb-4">
          Your session has ended. Log in, and you are back where you were.
        </Notice>
      )}
      {problem && (
        <div className="mb-4">
          <FormNotice>{problem}</FormNotice>
        </div>
      )}
      {ticket === undefined && (
        <>
          <Button busy={isBusy} onClick={() => void byPasskey()} className="w-full">
            <KeyRound className="size-4" />
            Log in with a passkey
          </Button>
          {sso.data?.isOffered && (
            <Button variant="outline" busy={isBusy} onClick={() => void bySso()} className="mt-3 w-full">
              Continue with single sign-on
            </Button>
          )}
          <p className="my-4 text-center text-sm text-quiet-ink">or</p>
        </>
      )}
      <form onSubmit={submit} className="space-y-4" noValidate>
        {ticket === undefined ? (
          <>
            <Field key="name" name="name" label="Your name" autoComplete="username" required />
            <PasswordField
              key="password"
              name="password"
              label="Password"
              autoComplete="current-password"
              required
            />
            <Button type="submit" variant="outline" busy={isBusy} className="w-full">
              Continue
            </Button>
          </>
        ) : (
          <>
            <Field
              key="code"
              name="code"
              label="Code of your authenticator app"
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              required
            />
            <Button type="submit" busy={isBusy} className="w-full">
              Log in
            </Button>
            <Button variant="quiet" onClick={() => setTicket(undefined)} className="w-full">
              Start again
            </Button>
          </>
        )}
      </form>
      <p className="mt-6 text-sm text-quiet-ink">
        Lost what you log in with? An owner can give you a new link.
      </p>
    </Entrance>
  )
}

export default LogInPage
