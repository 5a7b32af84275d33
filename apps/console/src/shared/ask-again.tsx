import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { UserName } from '@hedgerow/ui/form/user-name.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { answerPasskey, passkeyMessageOf } from '@hedgerow/web/passkey.ts'
import { type FormEvent, useEffect, useState } from 'react'
import { api } from '#lib/api.ts'
import { listenForQuestions } from '#lib/ask-again-store.ts'
import { useSession } from '#shared/session.tsx'
import { useData } from '#shared/use-data.ts'

const Question = ({ onProved }: { onProved: () => void }) => {
  const { operator } = useSession()
  const options = useData('operatorProofOptions', {})
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const prove = async (send: () => Promise<unknown>) => {
    setBusy(true)
    setProblem('')
    try {
      await send()
      onProved()
    } catch (error) {
      setProblem(passkeyMessageOf(error))
      // A question to a passkey is asked once.
      await options.refetch()
    } finally {
      setBusy(false)
    }
  }
  const byPasskey = () =>
    prove(async () => {
      const question = options.data?.passkey
      if (question) await api.call('proveOperator', { body: await answerPasskey(question) })
    })
  const byPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const body = { password: String(data.get('password')), code: String(data.get('code')) }
    void prove(() => api.call('proveOperator', { body }))
  }
  if (!options.data) return <Skeleton lines={3} />
  return (
    <div className="space-y-4">
      <p>Changes to money, keys or access need this. It lasts for 15 minutes.</p>
      {problem && <FormNotice>{problem}</FormNotice>}
      {options.data.passkey && (
        <Button busy={isBusy} onClick={() => void byPasskey()} className="w-full">
          Use your passkey
        </Button>
      )}
      {options.data.hasPassword && (
        <form onSubmit={byPassword} className="space-y-3">
          <UserName value={operator.name} />
          <PasswordField name="password" label="Password" autoComplete="current-password" />
          <Field name="code" label="Code of your app" inputMode="numeric" autoComplete="one-time-code" />
          <Button
            type="submit"
            busy={isBusy}
            variant={options.data.passkey ? 'outline' : 'solid'}
            className="w-full"
          >
            Confirm
          </Button>
        </form>
      )}
    </div>
  )
}

/** Asks who is there when a call needs it, and has the call made again. */
export const AskAgain = () => {
  const [answer, setAnswer] = useState<{ resolve: (isProved: boolean) => void }>()
  useEffect(() => listenForQuestions((resolve) => setAnswer({ resolve })), [])
  const end = (isProved: boolean) => {
    answer?.resolve(isProved)
    setAnswer(undefined)
  }
  return (
    <Dialog open={answer !== undefined} onClose={() => end(false)} title="Please confirm that it is you">
      <Question onProved={() => end(true)} />
    </Dialog>
  )
}
