import { CONVERSATION_TEXT, QUESTION_LINK_DAYS } from '@hedgerow/domain/conversations'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { TextArea } from '@hedgerow/ui/form/text-area.tsx'
import { useQuestion } from '#features/conversations/use-question.ts'

const Sent = ({ email, isHeld }: { email: string; isHeld: boolean }) => (
  <div className="space-y-5">
    {isHeld ? (
      <FormNotice kind="info" title="Open the link in our email">
        We have many questions to answer at the moment. Open the link that we sent to{' '}
        <span className="wrap-anywhere">{email}</span>, and a person will read yours.
      </FormNotice>
    ) : (
      <FormNotice kind="done" title="We have your question">
        A person will read it and reply to <span className="wrap-anywhere">{email}</span>.
      </FormNotice>
    )}
    <p>
      Each of our emails has a link to your question. With it you can read our answer and reply without an
      account, until {QUESTION_LINK_DAYS} days after the last message.
    </p>
  </div>
)

/** Asks us something without an account. */
export const QuestionForm = () => {
  const { field, onSubmit, problem, isValid, isBusy, startText, sent } = useQuestion()
  if (sent) return <Sent {...sent} />
  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && (
        <FormNotice title="It was not sent">
          {`${problem} What you wrote is still here, and sending it twice does no harm.`}
        </FormNotice>
      )}
      <Field label="Name" autoComplete="name" readOnly={isBusy} {...field('name')} />
      <Field
        label="Email"
        hint="We will reply to this address, and use it for nothing else."
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck="false"
        readOnly={isBusy}
        {...field('email')}
      />
      <TextArea
        // What was kept over a reload is found after the page was taken over.
        key={startText}
        defaultValue={startText}
        label="Your question"
        most={CONVERSATION_TEXT.max}
        // What is typed after the press would be neither sent nor kept.
        readOnly={isBusy}
        {...field('question')}
      />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        Send
      </Button>
    </form>
  )
}
