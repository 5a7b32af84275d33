import { SignupRequest } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import { MESSAGES } from '@hedgerow/domain/messages'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import { useState } from 'react'
import { Link } from 'wouter'
import { type FormFailure, failureDetail } from '#features/accounts/form-failure.ts'
import { api } from '#lib/api.ts'
import { wayIn } from '#lib/going-to.ts'
import { noteKnownBrowser } from '#lib/known-browser.ts'
import { storeSignupSecret } from '#lib/signup-secret.ts'
import { TermsCheckbox } from '#shared/terms-checkbox.tsx'

const resolver = checkedBy(SignupRequest)
const NAMES = ['name', 'email', 'signupPassword', 'acceptTerms'] as const

type SignupFormProps = {
  /** The code of the partner by whose link the newcomer came. */
  referral?: string | undefined
  /** Where the mailed link is to lead. */
  redirectUrl?: string | undefined
  onSignUp: (email: string) => void
}

export const SignupForm = ({ referral, redirectUrl, onSignUp }: SignupFormProps) => {
  const { form, field, submit, refuse, isValid, isBusy } = useCheckedForm(resolver, NAMES)
  const { getValues, reset, setFocus } = form
  const [problem, setProblem] = useState<FormFailure & { isForeign?: boolean }>()
  const [registered, setRegistered] = useState<string>()

  // How each failure is shown is the specification's (section 8).
  const fail = (error: unknown) => {
    const status = error instanceof ApiError ? error.status : undefined
    if (error instanceof ApiError && status === 422 && refuse(error.problem)) return
    if (error instanceof ApiError && status === 406) {
      const { name, email, acceptTerms } = getValues()
      // Before it is empty: the button that was pressed is disabled then, and would take the focus along.
      setFocus('email')
      reset({ name, acceptTerms, email: '', signupPassword: '' })
      setProblem({ message: error.message, takesFocus: false })
      setRegistered(email.trim())
      return
    }
    setProblem({
      message: MESSAGES.signupFailed,
      detail: failureDetail(error),
      takesFocus: true,
      isForeign: true,
    })
  }

  const onSubmit = submit(async (values) => {
    setProblem(undefined)
    setRegistered(undefined)
    await api.call('signup', { body: { ...values, referral, redirectUrl } }).then(({ signupSecret }) => {
      storeSignupSecret(signupSecret)
      noteKnownBrowser()
      onSignUp(values.email)
    }, fail)
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && (
        <FormNotice takesFocus={problem.takesFocus}>
          <span className="font-semibold" lang={problem.isForeign ? 'ru' : undefined}>
            {problem.message}
          </span>
          {problem.detail && <p>{problem.detail}</p>}
        </FormNotice>
      )}
      {registered && (
        <p>
          <Link to={wayIn('/login', { redirectUrl, email: registered })} className="link wrap-anywhere">
            {`Log in as ${registered}`}
          </Link>
        </p>
      )}
      <Field label="Name" autoComplete="name" {...field('name')} />
      <Field
        label="Email"
        hint="We will send a link to it, to confirm that it is yours."
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck="false"
        {...field('email')}
      />
      <PasswordField
        label="Password"
        hint="8 characters or more. A short sentence works well."
        autoComplete="new-password"
        {...field('signupPassword')}
      />
      <TermsCheckbox backTo={redirectUrl} {...field('acceptTerms')} />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        Continue
      </Button>
    </form>
  )
}
