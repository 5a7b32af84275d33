import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { type ReactNode, useEffect, useRef } from 'react'
import { EnterCode, RequestCode } from '#features/payment-result/authorisation-forms.tsx'
import type { ClarificationAnswers } from '#features/payment-result/clarification-fields.ts'
import { ClarificationForm } from '#features/payment-result/clarification-form.tsx'
import { actionLead, CustomerAction } from '#features/payment-result/customer-action.tsx'
import type { NextAction } from '#features/payment-result/next-action.ts'

export type Question = Extract<NextAction, { kind: 'clarify' | 'approve' | 'authorise' }>

/** A question that has come while the page waited takes the focus, to be read out. */
const QuestionPage = ({ title, lead, children }: { title: string; lead: string; children: ReactNode }) => {
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
    : 'Your bank needs a little more information before it takes the payment.'

type PaymentQuestionProps = {
  paymentId: string
  question: Question
  /** The same as long as the question is. */
  questionKey: string
  /** What was answered to earlier questions of this payment, so that nobody types it twice. */
  given: ClarificationAnswers
  onAnswered: (answers?: ClarificationAnswers) => void
}

/** What the payment waits for, and that the customer can do here. */
export const PaymentQuestion = ({
  paymentId,
  question,
  questionKey,
  given,
  onAnswered,
}: PaymentQuestionProps) => {
  switch (question.kind) {
    case 'clarify':
      return (
        <QuestionPage key={questionKey} title="One more thing" lead={clarifyLead(question.fields)}>
          <ClarificationForm
            paymentId={paymentId}
            fields={question.fields}
            given={given}
            onAnswered={onAnswered}
          />
        </QuestionPage>
      )
    case 'approve':
      return (
        <QuestionPage key={questionKey} title="Approve the payment" lead={actionLead(question.display)}>
          <CustomerAction display={question.display} />
        </QuestionPage>
      )
    case 'authorise':
      return question.stage === 'start' ? (
        <QuestionPage
          key={questionKey}
          title="Confirm with a code"
          lead="Your bank wants to check that it is you. It sends you a code, by text message or in its app, and you enter it here."
        >
          <RequestCode paymentId={paymentId} onAnswered={onAnswered} />
        </QuestionPage>
      ) : (
        <QuestionPage
          key={questionKey}
          title="Enter the code"
          lead="Your bank has sent you a code, by text message or in its app. It may take a minute to arrive."
        >
          <EnterCode paymentId={paymentId} onAnswered={onAnswered} />
        </QuestionPage>
      )
  }
}
