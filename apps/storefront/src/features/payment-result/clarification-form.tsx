import { Button } from '@hedgerow/ui/button.tsx'
import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import { useEffect, useState } from 'react'
import {
  answersOf,
  type ClarificationAnswers,
  errorsIn,
  nameOf,
  renamedErrors,
  schemaFor,
  type Typed,
  typedFrom,
} from '#features/payment-result/clarification-fields.ts'
import type { ClarificationField } from '#features/payment-result/next-action.ts'
import { useAnswer } from '#features/payment-result/use-answer.ts'
import { api } from '#lib/api.ts'

type ClarificationFormProps = {
  paymentId: string
  fields: readonly ClarificationField[]
  /** What was answered to earlier questions of this payment, so that nobody types it twice. */
  given: ClarificationAnswers
  onAnswered: (answers: ClarificationAnswers) => void
}

/** What the payment system needs to know of the customer, and the consents that it needs. */
export const ClarificationForm = ({ paymentId, fields, given, onAnswered }: ClarificationFormProps) => {
  const [resolver] = useState(() => checkedBy<Typed, Typed>(schemaFor(fields)))
  const names = fields.map((_, position) => nameOf(position))
  const { form, field, submit, refuse, isValid, isBusy } = useCheckedForm(
    resolver,
    names,
    typedFrom(fields, given),
  )
  const { refusal, answer } = useAnswer()
  const { setError } = form

  useEffect(() => {
    for (const { path, message } of errorsIn(fields)) setError(path, { type: 'server', message })
  }, [fields, setError])

  const onSubmit = submit((typed) => {
    const answers = answersOf(fields, typed)
    return answer({
      // A plain call, not a mutation: a mutation's cache would remember the answers.
      send: () => api.call('clarifyPayment', { params: { paymentId }, body: { answers } }),
      refuse: (problem) => refuse({ errors: renamedErrors(fields, problem.errors) }),
      onAnswered: () => onAnswered(answers),
    })
  })

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
      {fields.map(({ name, label, type, text, isRequired }, position) =>
        type === 'consent' ? (
          <Checkbox key={name} label={text || label} {...field(nameOf(position))} />
        ) : (
          <Field
            key={name}
            label={isRequired ? label : `${label} (optional)`}
            maxLength={255}
            {...field(nameOf(position))}
          />
        ),
      )}
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full text-lg">
        Continue
      </Button>
    </form>
  )
}
