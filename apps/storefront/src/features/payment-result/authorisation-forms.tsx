import { AuthorisePaymentRequest } from '@hedgerow/contract/payment-actions'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import { useState } from 'react'
import { useAnswer } from '#features/payment-result/use-answer.ts'
import { api } from '#lib/api.ts'

const resolver = checkedBy(AuthorisePaymentRequest)
const NAMES = ['code'] as const

type AuthorisationProps = { paymentId: string; onAnswered: () => void }

/** The customer agrees that a code is sent. */
export const RequestCode = ({ paymentId, onAnswered }: AuthorisationProps) => {
  const { refusal, answer } = useAnswer()
  const [isBusy, setIsBusy] = useState(false)
  const request = async () => {
    setIsBusy(true)
    await answer({
      send: () => api.call('authorisePayment', { params: { paymentId }, body: {} }),
      onAnswered,
    })
    setIsBusy(false)
  }
  return (
    <div className="space-y-5">
      {refusal && <FormNotice title={refusal} />}
      <Button busy={isBusy} onClick={() => void request()} className="w-full text-lg">
        Send me the code
      </Button>
    </div>
  )
}

export const EnterCode = ({ paymentId, onAnswered }: AuthorisationProps) => {
  const { field, submit, refuse, isValid, isBusy } = useCheckedForm(resolver, NAMES, { code: '' })
  const { refusal, answer } = useAnswer()
  const onSubmit = submit(({ code }) =>
    answer({
      send: () => api.call('authorisePayment', { params: { paymentId }, body: { code } }),
      refuse,
      onAnswered,
    }),
  )
  return (
    <form
      method="post"
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    >
      {refusal && <FormNotice title={refusal} />}
      <Field label="Code" autoComplete="one-time-code" spellCheck="false" maxLength={12} {...field('code')} />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full text-lg">
        Confirm
      </Button>
    </form>
  )
}
