import { LoginRequest, type Profile } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import { MESSAGES } from '@hedgerow/domain/messages'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { type FormFailure, failureDetail } from '#features/accounts/form-failure.ts'
import { PasskeyLogin } from '#features/accounts/passkey-login.tsx'
import { ResendButton } from '#features/accounts/resend-button.tsx'
import { useWaitingStep } from '#features/accounts/waiting-step.ts'
import { api } from '#lib/api.ts'

/** Of those who log in, few have one. */
const SecondStep = lazy(async () => ({
  default: (await import('#features/accounts/second-step.tsx')).SecondStep,
}))

const resolver = checkedBy(LoginRequest)

type LoginFormProps = {
  email?: string | undefined
  /** Where a forgotten password is replaced. */
  forgotPath?: string
  onLogIn: (token: string, profile: Profile) => void
}

/** The link can be sent again to the address that was typed, although its field is empty now (spec §8). */
const Unconfirmed = ({ email }: { email: string }) => (
  <div>
    <p>
      We sent the link to <strong className="wrap-anywhere">{email}</strong>. It logs you in.
    </p>
    <ResendButton key={email} email={email} />
  </div>
)

export const LoginForm = ({ email, forgotPath = '/forgot', onLogIn }: LoginFormProps) => {
  const { form, field, submit, refuse, isValid, isBusy } = useCheckedForm(resolver, ['username', 'password'])
  const { getValues, setValue, resetField, setFocus } = form
  const [problem, setProblem] = useState<FormFailure>()
  const [unconfirmed, setUnconfirmed] = useState<string>()
  const { waiting, wait, stopWaiting } = useWaitingStep()

  useEffect(() => {
    if (email && !getValues('username')) setValue('username', email, { shouldValidate: true })
  }, [email, getValues, setValue])

  const wasWaiting = useRef(false)
  useEffect(() => {
    // What was pressed in the second step is gone with it; a notice has taken the focus by then.
    if (wasWaiting.current && !waiting && document.activeElement === document.body) setFocus('username')
    wasWaiting.current = waiting !== undefined
  }, [waiting, setFocus])

  // How each failure is shown is the specification's (section 8).
  const fail = (error: unknown, username: string) => {
    const status = error instanceof ApiError ? error.status : undefined
    if (error instanceof ApiError && status === 422 && refuse(error.problem)) return
    if (error instanceof ApiError && status === 401) {
      resetField('username', { defaultValue: '' })
      setProblem({ message: error.message, takesFocus: false })
      if (error.problem.code === 'not-confirmed') setUnconfirmed(username)
      setFocus('username')
      return
    }
    setProblem({
      message: status === 404 ? MESSAGES.connectionError : MESSAGES.serverError,
      detail: failureDetail(error),
      takesFocus: true,
    })
  }

  // A plain call, not a mutation: a mutation's cache would remember the password.
  const onSubmit = submit(async (values) => {
    setProblem(undefined)
    setUnconfirmed(undefined)
    await api.call('login', { body: values }).then(
      (entered) => {
        if ('access_token' in entered) return onLogIn(entered.access_token, entered.profile)
        resetField('password', { defaultValue: '' })
        wait({ ...entered.secondStep, email: values.username })
      },
      (error: unknown) => fail(error, values.username),
    )
  })

  if (waiting)
    return (
      <Suspense fallback={<Skeleton lines={6} label="Loading the second step" />}>
        <SecondStep
          key={waiting.ticket}
          waiting={waiting}
          onLogIn={onLogIn}
          onOver={(message) => {
            // Someone else types an address of their own.
            setValue('username', message === undefined ? '' : waiting.email)
            setProblem(message === undefined ? undefined : { message, takesFocus: true })
            stopWaiting()
          }}
        />
      </Suspense>
    )
  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && (
        <FormNotice takesFocus={problem.takesFocus} title={problem.message}>
          {problem.detail}
        </FormNotice>
      )}
      {unconfirmed && <Unconfirmed email={unconfirmed} />}
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck="false"
        {...field('username')}
      />
      <div>
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
        <Link to={forgotPath} className="link mt-2 inline-flex min-h-11 items-center">
          Forgot password?
        </Link>
      </div>
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        Continue
      </Button>
      <PasskeyLogin onLogIn={onLogIn} />
    </form>
  )
}
