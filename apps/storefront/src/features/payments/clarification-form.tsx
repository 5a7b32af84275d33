import type { Problem } from '@hedgerow/contract/endpoint'
import { useEffect, useState } from 'react'
import {
  answersOf,
  errorsIn,
  nameOf,
  schemaFor,
  type Typed,
  typedFrom,
} from '#features/payments/clarification-fields.ts'
import type { AskedField } from '#features/payments/next-step.ts'
import { type Answers, clarifyPayment } from '#features/payments/payment-answers.ts'
import { useAnswer } from '#features/payments/use-answer.ts'
import { checkedBy } from '#lib/form/checked-by.ts'
import { useCheckedForm } from '#lib/form/use-checked-form.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { FormNotice } from '#ui/form/form-notice.tsx'

type ClarificationFormProps = {
  paymentId: string
  fields: readonly AskedField[]
  /** What was answered to earlier questions of this payment, so that nobody types it twice. */
  given: Answers
  onAnswered: (answers: Answers) => void
}

/** What the payment system asks the customer to tell it, and to agree to. */
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

  const ours = (problem: Problem): Problem => ({
    ...problem,
    errors: problem.errors?.map(({ path, message }) => ({
      path: nameOf(fields.findIndex(({ name }) => name === path)),
      message,
    })),
  })
  const onSubmit = submit((typed) => {
    const answers = answersOf(fields, typed)
    return answer({
      send: () => clarifyPayment(paymentId, answers),
      refuse: (problem) => refuse(ours(problem)),
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
