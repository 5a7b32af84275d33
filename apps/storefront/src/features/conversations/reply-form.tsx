import { type Conversation, MessageForm } from '@hedgerow/contract/conversations'
import { MESSAGE_TEXT } from '@hedgerow/domain/conversations'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { TextArea } from '@hedgerow/ui/form/text-area.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { useSendOnce } from '@hedgerow/web/use-send-once.ts'
import { useEffect, useState } from 'react'
import { draftOf } from '#features/conversations/unsent-drafts.ts'

const resolver = checkedBy(MessageForm)

type ReplyFormProps<C extends Conversation> = {
  /** Whose draft it is. */
  owner: string
  conversation: C
  /** The heading above it, which distinguishes it from those of other conversations. */
  describedBy: string
  send: (body: { id: string; text: string }) => Promise<C>
  onSent: (conversation: C) => void
}

/** A further message in a conversation. What was typed stays until it has arrived, also while other pages are looked at. */
export const ReplyForm = <C extends Conversation>(props: ReplyFormProps<C>) => {
  const { owner, conversation, describedBy, onSent } = props
  const { _id, state } = conversation
  const [draft] = useState(() => draftOf(owner, _id))
  const [start] = useState(() => ({ text: draft.read()?.text ?? '' }))
  const { form, field, send, problem, isValid, isBusy } = useSentForm(resolver, ['text'], start)
  const { subscribe } = form
  const sendOnce = useSendOnce<{ text: string }, void>(async (body) => {
    const written = await props.send(body)
    draft.forget()
    onSent(written)
  })

  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => draft.keep({ ...values }) }),
    [subscribe, draft],
  )

  const onSubmit = send(sendOnce)

  return (
    <form
      method="post"
      noValidate
      aria-labelledby={describedBy}
      onSubmit={(event) => void onSubmit(event)}
      className="mt-5 space-y-4"
    >
      {problem && (
        <FormNotice title="It was not sent">{`${problem} What you wrote is still here.`}</FormNotice>
      )}
      <TextArea
        label="Your reply"
        hint={state === 'closed' ? 'This reopens the conversation.' : 'We will reply here and by email.'}
        rows={4}
        most={MESSAGE_TEXT.max}
        defaultValue={start.text}
        // What is typed after the press would be neither sent nor kept.
        readOnly={isBusy}
        {...field('text')}
      />
      <Button type="submit" disabled={!isValid} busy={isBusy}>
        Send
      </Button>
    </form>
  )
}
