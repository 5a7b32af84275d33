import { type ReactNode, useEffect, useRef } from 'react'
import { AskForCode, EnterCode } from '#features/payments/authorisation-forms.tsx'
import { ClarificationForm } from '#features/payments/clarification-form.tsx'
import { actionLead, CustomerAction } from '#features/payments/customer-action.tsx'
import type { NextStep } from '#features/payments/next-step.ts'
import type { Answers } from '#features/payments/payment-answers.ts'
import { NarrowPage } from '#ui/page/narrow-page.tsx'

export type Question = Extract<NextStep, { kind: 'clarify' | 'act' | 'authorise' }>

/** A question that has come while the page waited takes the focus, to be read out. */
const Asked = ({ title, lead, children }: { title: string; lead: string; children: ReactNode }) => {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={frame}>
      <NarrowPage title={title} lead={lead}>
        {children}
      </NarrowPage>
    </div>
  )
}

const clarifyLead = (fields: Extract<Question, { kind: 'clarify' }>['fields']) =>
  fields.every(({ type }) => type === 'consent')
    ? 'Your bank needs your consent before it can show you the payment.'
    : 'Your bank asks for a little more before it takes the payment.'

type PaymentQuestionProps = {
  paymentId: string
  question: Question
  /** By which the same question is known again. */
  text: string
  /** What was answered to earlier questions of this payment, so that nobody types it twice. */
  given: Answers
  onAnswered: (answers?: Answers) => void
}

/** What the payment waits for, and that the customer can do here. */
export const PaymentQuestion = ({ paymentId, question, text, given, onAnswered }: PaymentQuestionProps) => {
  switch (question.kind) {
    case 'clarify':
      return (
        <Asked key={text} title="One thing more" lead={clarifyLead(question.fields)}>
          <ClarificationForm
            paymentId={paymentId}
            fields={question.fields}
            given={given}
            onAnswered={onAnswered}
          />
        </Asked>
      )
    case 'act':
      return (
        <Asked key={text} title="Approve the payment" lead={actionLead(question.display)}>
          <CustomerAction display={question.display} />
        </Asked>
      )
    case 'authorise':
      return question.stage === 'start' ? (
        <Asked
          key={text}
          title="Confirm with a code"
          lead="Your bank wants to know that it is you. It sends you a code, by text message or in its app, and you enter it here."
        >
          <AskForCode paymentId={paymentId} onAnswered={onAnswered} />
        </Asked>
      ) : (
        <Asked
          key={text}
          title="Enter the code"
          lead="Your bank has sent you a code, by text message or in its app. It may take a minute to arrive."
        >
          <EnterCode paymentId={paymentId} onAnswered={onAnswered} />
        </Asked>
      )
  }
}
