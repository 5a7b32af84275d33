import { ApiError } from '@hedgerow/contract/client'
import { Button } from '@hedgerow/ui/button.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { UserName } from '@hedgerow/ui/form/user-name.tsx'
import { QrCode } from '@hedgerow/ui/qr-code.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { type FormEvent, useState } from 'react'

type App = { ticket: string; secret: string; uri: string }
type Given = { password: string; ticket: string; code: string }
type PasswordAndAppProps = { name: string; app: App; verb: string; send: (given: Given) => Promise<void> }

/** What is said at a field. */
type Fields = { password?: string | undefined; code?: string | undefined }

const fieldsOf = (error: unknown): Fields => {
  const refused = error instanceof ApiError ? (error.problem.errors ?? []) : []
  const said = (name: string) => refused.find(({ path }) => path.split('.').at(-1) === name)?.message
  return { password: said('password'), code: said('code') }
}

const inFours = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

/** A password, and an authenticator app whose first code shows that it is set up. */
export const PasswordAndApp = ({ name, app, verb, send }: PasswordAndAppProps) => {
  const [problem, setProblem] = useState('')
  const [fields, setFields] = useState<Fields>({})
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    setBusy(true)
    setProblem('')
    setFields({})
    try {
      await send({
        password: String(data.get('password')),
        ticket: app.ticket,
        code: String(data.get('code')),
      })
    } catch (error) {
      const refused = fieldsOf(error)
      setFields(refused)
      if (!refused.password && !refused.code) setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-4" noValidate>
      {problem && <FormNotice>{problem}</FormNotice>}
      <UserName value={name} />
      <PasswordField
        name="password"
        label="Password"
        hint="12 characters or more"
        autoComplete="new-password"
        error={fields.password}
      />
      <div>
        <p className="mb-2 font-medium">Scan this with your authenticator app</p>
        <div className="flex flex-wrap items-start gap-4">
          <QrCode value={app.uri} label="For your authenticator app" size={148} level="M" />
          <div className="min-w-0 flex-1 basis-40">
            <p className="text-sm text-quiet-ink">Or type this into it:</p>
            <p className="my-2 font-mono wrap-anywhere">{inFours(app.secret)}</p>
            <CopyButton text={app.secret} of="the secret" />
          </div>
        </div>
      </div>
      <Field
        name="code"
        label="Code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={fields.code}
      />
      <Button type="submit" busy={isBusy} className="w-full">
        {verb}
      </Button>
    </form>
  )
}
