import { formatLocalTime } from '@hedgerow/domain/dates'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { type ReactNode, useEffect, useRef } from 'react'
import { StatementFields } from '#features/cancellation/statement-fields.tsx'
import { StatementText } from '#features/cancellation/statement-text.tsx'
import { type StatementStep, useStatement } from '#features/cancellation/use-statement.ts'

type StepHeadingProps = { takesFocus: boolean; children: ReactNode }

/** What was pressed has gone with the step before: the heading of the next takes the focus. */
const StepHeading = ({ takesFocus, children }: StepHeadingProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <h2 ref={heading} tabIndex={-1} className="mb-4 w-fit text-xl">
      {children}
    </h2>
  )
}

const Received = ({ statement, receivedAt }: Extract<StatementStep, { at: 'received' }>) => (
  <div className="space-y-5">
    <FormNotice kind="done" title={`Received on ${formatLocalTime(new Date(receivedAt))}`}>
      Your withdrawal counts from then. An email with a copy of it is on its way to{' '}
      <span className="wrap-anywhere">{statement.email}</span>.
    </FormNotice>
    <StatementText statement={statement} />
    <p>
      One of us will look for the contract, and may ask you to confirm that it is yours. It then ends, and
      within 14 days we refund the part you had not used by now. If we cannot find it, we will write to you.
    </p>
  </div>
)

type StatementFormProps = {
  /** Above the first step's fields. */
  title: string
  /** The quicker way, above the first step. */
  children: ReactNode
}

/** Withdraws from a contract without a log-in, in two steps. */
export const StatementForm = ({ title, children }: StatementFormProps) => {
  const { step, problem, isBusy, change, confirm, ...fields } = useStatement()
  if (step.at === 'received') return <Received {...step} />
  if (step.at === 'typing')
    return (
      <>
        {children}
        <StepHeading takesFocus={step.again === true}>{title}</StepHeading>
        <StatementFields {...fields} />
      </>
    )
  return (
    <form method="post" noValidate onSubmit={(event) => void confirm(event)} className="space-y-5">
      {problem && (
        <FormNotice title="It was not sent">
          {`${problem} What you wrote is still here, and sending it twice does no harm.`}
        </FormNotice>
      )}
      <StepHeading takesFocus>Your statement</StepHeading>
      <StatementText statement={step.statement} />
      <p className="text-sm text-quiet-ink">Nothing is sent before you confirm.</p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy}>
          Confirm withdrawal
        </Button>
        <Button variant="quiet" onClick={change}>
          Change it
        </Button>
      </div>
    </form>
  )
}
