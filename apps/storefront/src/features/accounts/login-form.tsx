import { LoginRequest, type Profile } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import { MESSAGES } from '@hedgerow/domain/messages'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { type FormFailure, failureDetail } from '#features/accounts/form-failure.ts'
import { api } from '#lib/api.ts'
import { checkedBy } from '#lib/form/checked-by.ts'
import { useCheckedForm } from '#lib/form/use-checked-form.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { FormNotice } from '#ui/form/form-notice.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'

const resolver = checkedBy(LoginRequest)

type LoginFormProps = { email?: string; onLogIn: (token: string, profile: Profile) => void }

export const LoginForm = ({ email, onLogIn }: LoginFormProps) => {
  const { form, field, submit, refuse, isValid, isBusy } = useCheckedForm(resolver, ['username', 'password'])
  const { getValues, setValue, resetField, setFocus } = form
  const [problem, setProblem] = useState<FormFailure>()

  useEffect(() => {
    if (email && !getValues('username')) setValue('username', email, { shouldValidate: true })
  }, [email, getValues, setValue])

  // How each failure is shown is the specification's (section 8).
  const fail = (error: unknown) => {
    const status = error instanceof ApiError ? error.status : undefined
    if (error instanceof ApiError && status === 422 && refuse(error.problem)) return
    if (error instanceof ApiError && status === 401) {
      resetField('username', { defaultValue: '' })
      setProblem({ message: error.message, takesFocus: false })
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
    await api
      .call('login', { body: values })
      .then(({ access_token, profile }) => onLogIn(access_token, profile), fail)
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && (
        <FormNotice takesFocus={problem.takesFocus} title={problem.message}>
          {problem.detail}
        </FormNotice>
      )}
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...field('username')}
      />
      <div>
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
        <Link to="/forgot" className="link mt-2 inline-flex min-h-11 items-center">
          Forgot password?
        </Link>
      </div>
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        Continue
      </Button>
    </form>
  )
}
