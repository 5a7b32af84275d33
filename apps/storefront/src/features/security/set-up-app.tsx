import { AuthCode } from '@hedgerow/contract/passkeys'
import { Button } from '@hedgerow/ui/button.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { QrCode } from '@hedgerow/ui/qr-code.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { api } from '#lib/api.ts'

type SetUpAppProps = {
  secret: string
  uri: string
  onConfirmed: (recoveryCodes: string[] | null) => void
  onCancel: () => void
}

const resolver = checkedBy(z.object({ code: AuthCode }))

const QR_PIXELS = 200

/** As people type it from one device into another. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <li className="pl-1 marker:font-semibold marker:text-hedge">
    <h4 className="font-semibold">{title}</h4>
    <div className="mt-2 space-y-3">{children}</div>
  </li>
)

export const SetUpApp = ({ secret, uri, onConfirmed, onCancel }: SetUpAppProps) => {
  const { field, send, problem, isValid, isBusy } = useSentForm(resolver, ['code'])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const onSubmit = send(
    ({ code }) => api.call('confirmTotp', { body: { code } }),
    ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  )
  return (
    <section className="space-y-4">
      <h3 ref={heading} tabIndex={-1} className="text-lg font-semibold">
        Set up an authenticator app
      </h3>
      <ol className="list-decimal space-y-5 pl-5">
        <Step title="Add the account to the app">
          <p className="text-quiet-ink">
            In Google Authenticator, Aegis, 1Password or any other authenticator app, scan this code.
          </p>
          <div className="w-fit">
            <QrCode value={uri} label="QR code for the authenticator app" size={QR_PIXELS} level="M" />
          </div>
          <p>
            Is the app on this device?{' '}
            <a href={uri} className="link inline-flex min-h-11 items-center">
              Open it with this account
            </a>
          </p>
          <p className="text-quiet-ink">Or type this key into the app:</p>
          <div className="flex flex-wrap items-center gap-3">
            <code className="font-mono wrap-anywhere">{grouped(secret)}</code>
            <CopyButton text={secret} of="the key" />
          </div>
        </Step>
        <Step title="Enter the code that the app shows">
          <form
            method="post"
            noValidate
            aria-label="Confirm the app"
            onSubmit={(event) => void onSubmit(event)}
            className="max-w-form space-y-5"
          >
            {problem && <FormNotice title="The app was not set up">{problem}</FormNotice>}
            <Field
              label="Code"
              hint="6 digits, new every 30 seconds."
              autoComplete="one-time-code"
              inputMode="numeric"
              spellCheck="false"
              maxLength={40}
              {...field('code')}
            />
            <div className="flex flex-wrap gap-3">
              <Button type="submit" disabled={!isValid} busy={isBusy}>
                Confirm
              </Button>
              <Button variant="quiet" onClick={onCancel}>
                Cancel
              </Button>
            </div>
          </form>
        </Step>
      </ol>
    </section>
  )
}
