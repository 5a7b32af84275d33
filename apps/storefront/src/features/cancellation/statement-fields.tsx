import { CONVERSATION_TEXT } from '@hedgerow/domain/conversations'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { TextArea } from '@hedgerow/ui/form/text-area.tsx'
import type { useStatement } from '#features/cancellation/use-statement.ts'

type StatementFieldsProps = Pick<
  ReturnType<typeof useStatement>,
  'field' | 'isValid' | 'review' | 'startText'
>

/** The first step: who withdraws, from what, and where we confirm it. */
export const StatementFields = ({ field, isValid, review, startText }: StatementFieldsProps) => (
  <form method="post" noValidate onSubmit={(event) => void review(event)} className="space-y-5">
    <Field label="Your name" autoComplete="name" {...field('name')} />
    <Field
      label="Which contract"
      hint="The email of your account, an invoice number or a payment number."
      autoComplete="off"
      {...field('contract')}
    />
    <Field
      label="Email"
      hint="We will confirm to this address that we have received it."
      type="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck="false"
      {...field('email')}
    />
    <TextArea
      // What was kept over a reload is found after the page was taken over.
      key={startText}
      defaultValue={startText}
      label="Anything else (optional)"
      hint="You don’t have to say why."
      rows={4}
      most={CONVERSATION_TEXT.max}
      {...field('message')}
    />
    <Button type="submit" disabled={!isValid} className="w-full">
      Withdraw from contract here
    </Button>
    <p className="text-sm text-quiet-ink">You will see your statement again before anything is sent.</p>
  </form>
)
