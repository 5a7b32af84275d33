import type { LoginReply, Profile } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import { AuthCode } from '@hedgerow/contract/passkeys'
import type { FinishLoginReply } from '@hedgerow/contract/second-step'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { LostDevice } from '#features/accounts/lost-device.tsx'
import type { WaitingStep } from '#features/accounts/waiting-step.ts'
import { api } from '#lib/api.ts'
import { PasskeyButton, type Passkeys } from '#shared/passkey-button.tsx'
import { Time } from '#shared/time.tsx'

type SecondStepProps = {
  waiting: WaitingStep
  onLogIn: (token: string, profile: Profile) => void
  /** The password is to be typed again. */
  onOver: (message?: string) => void
}

const resolver = checkedBy(z.object({ code: AuthCode }))

const isOver = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.problem.code === 'second-step-over'

const APP = {
  hint: 'The 6 digits that your authenticator app shows.',
  other: 'Use a recovery code',
  inputMode: 'numeric',
} as const
const RECOVERY = {
  hint: 'One of the recovery codes that you kept, like F7KM-2QXR-9TWB. Each works once.',
  other: 'Use the authenticator app',
  inputMode: 'text',
} as const

/** Where few are left, a notice says so after the log-in: this page is gone by then. */
const useEnter = (onLogIn: SecondStepProps['onLogIn']) => {
  const toast = useToast()
  return ({ access_token, profile, recoveryCodesLeft: left }: LoginReply & FinishLoginReply) => {
    onLogIn(access_token, profile)
    if (left !== undefined)
      toast(
        `You have ${left === 0 ? 'no' : left} recovery ${left === 1 ? 'code' : 'codes'} left. Make new ones under Security.`,
      )
  }
}

/** After the right password: a passkey, a code of the app, or a recovery code. */
export const SecondStep = ({ waiting, onLogIn, onOver }: SecondStepProps) => {
  const { ticket, hasApp, passkey, email } = waiting
  const [endsAt, setEndsAt] = useState(waiting.endsAt)
  const { form, field, submit, refuse, isValid, isBusy } = useCheckedForm(resolver, ['code'])
  const [usesApp, setUsesApp] = useState(hasApp)
  const [isLost, setIsLost] = useState(false)
  const [problem, setProblem] = useState<string>()
  const enter = useEnter(onLogIn)
  const kind = usesApp ? APP : RECOVERY
  const heading = useRef<HTMLHeadingElement>(null)
  const { setFocus } = form
  // What can be done at once takes the focus; beside a passkey that is the customer’s choice.
  useEffect(() => {
    if (isLost) return
    if (passkey) heading.current?.focus()
    else setFocus('code')
  }, [isLost, passkey, setFocus])

  const fail = (error: unknown, tell: (message: string) => void) => {
    if (isOver(error)) onOver(error.message)
    else tell(messageOf(error))
  }

  const onSubmit = submit(async ({ code }) => {
    setProblem(undefined)
    await api.call('finishLogin', { body: { ticket, code } }).then(enter, (error: unknown) => {
      // What was typed stays, to be mended.
      const isWrong = error instanceof ApiError && (error.status === 401 || error.status === 422)
      fail(error, isWrong ? (message) => refuse({ errors: [{ path: 'code', message }] }) : setProblem)
    })
  })

  const usePasskey = async ({ answer }: Passkeys) => {
    if (!passkey) return
    setProblem(undefined)
    const answered = await answer(passkey)
    try {
      enter(await api.call('finishLogin', { body: { ticket, passkey: answered } }))
    } catch (error) {
      if (!isOver(error)) throw error
      onOver(error.message)
    }
  }

  if (isLost)
    return (
      <LostDevice
        ticket={ticket}
        email={email}
        endsAt={endsAt}
        onAsked={setEndsAt}
        onBack={() => setIsLost(false)}
        onOver={onOver}
      />
    )
  return (
    <div className="space-y-5">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-xl">
          One more step
        </h2>
        <p className="mt-1 text-quiet-ink">
          The password for <span className="wrap-anywhere">{email}</span> is right.{' '}
          {passkey ? 'Now use a passkey, or enter a code.' : 'Now enter a code.'}
        </p>
      </div>
      {endsAt && (
        <Notice kind="info">
          Someone said that the device for this step is lost. The step ends on <Time at={endsAt} />. Logging
          in now stops that.
        </Notice>
      )}
      {problem && <FormNotice title="You are not logged in yet">{problem}</FormNotice>}
      {passkey && (
        <PasskeyButton
          failure="You are not logged in yet"
          variant={hasApp ? 'outline' : 'solid'}
          className="w-full"
          act={usePasskey}
        >
          Use a passkey
        </PasskeyButton>
      )}
      <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
        <Field
          label="Code"
          hint={kind.hint}
          autoComplete="one-time-code"
          inputMode={kind.inputMode}
          autoCapitalize={usesApp ? 'none' : 'characters'}
          spellCheck="false"
          maxLength={40}
          {...field('code')}
        />
        <Button
          type="submit"
          variant={passkey && !hasApp ? 'outline' : 'solid'}
          disabled={!isValid}
          busy={isBusy}
          className="w-full"
        >
          Log in
        </Button>
      </form>
      <div className="-ml-5 flex flex-col items-start">
        {hasApp && (
          <Button
            variant="quiet"
            onClick={() => {
              setUsesApp(!usesApp)
              form.resetField('code', { defaultValue: '' })
              setFocus('code')
            }}
          >
            {kind.other}
          </Button>
        )}
        <Button variant="quiet" onClick={() => setIsLost(true)}>
          I have lost my device
        </Button>
        <Button variant="quiet" onClick={() => onOver()}>
          Log in as someone else
        </Button>
      </div>
    </div>
  )
}
