import type { Profile } from '@hedgerow/contract/accounts'
import { CONVERSATION_TEXT } from '@hedgerow/domain/conversations'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { TextArea } from '@hedgerow/ui/form/text-area.tsx'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { useSendOnce } from '@hedgerow/web/use-send-once.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Path, Resolver } from 'react-hook-form'
import { conversationsQuery } from '#features/conversations/conversations-query.ts'
import { draftOf } from '#features/conversations/unsent-drafts.ts'

type Words = { name: string } & Record<string, string>

type ConversationFormProps<V extends Words> = {
  profile: Profile
  resolver: Resolver<V, unknown, V>
  /** What the API calls the text, and what the customer reads above it. */
  textName: Path<V>
  textLabel: string
  textHint: string
  call: (body: V & { id: string }) => Promise<unknown>
  onSent: () => void
}

/** A form that reaches a person. Whatever happens, what was typed stays until it has arrived. */
export const ConversationForm = <V extends Words>(props: ConversationFormProps<V>) => {
  const { profile, resolver, textName, textLabel, textHint, call, onSent } = props
  const { form, field, send, problem, isValid, isBusy } = useSentForm(resolver, ['name' as Path<V>, textName])
  const { subscribe } = form
  const [draft] = useState(() => draftOf(profile._id, textName))
  const [start] = useState(() => ({ name: profile.name, [textName]: '', ...draft.read() }))
  const sendOnce = useSendOnce(call)
  const queryClient = useQueryClient()

  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => draft.keep(values) }),
    [subscribe, draft],
  )

  const onSubmit = send(sendOnce, () => {
    draft.forget()
    // The profile shows it from now on.
    void queryClient.invalidateQueries({ queryKey: conversationsQuery.queryKey })
    onSent()
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && (
        <FormNotice title="It was not sent">{`${problem} What you wrote is still here.`}</FormNotice>
      )}
      <Field
        label="Email"
        hint="We will reply to this address."
        type="email"
        name="email"
        autoComplete="email"
        value={profile.email}
        readOnly
      />
      <Field
        label="Name"
        autoComplete="name"
        defaultValue={start.name}
        readOnly={isBusy}
        {...field('name' as Path<V>)}
      />
      <TextArea
        label={textLabel}
        hint={textHint}
        most={CONVERSATION_TEXT.max}
        defaultValue={start[textName]}
        // What is typed after the press would be neither sent nor kept.
        readOnly={isBusy}
        {...field(textName)}
      />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        Submit
      </Button>
    </form>
  )
}
