import { QuestionForm } from '@hedgerow/contract/conversations'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { useSendOnce } from '@hedgerow/web/use-send-once.ts'
import { useEffect, useState } from 'react'
import { api } from '#lib/api.ts'
import { readTabDraft, writeTabDraft } from '#lib/drafts.ts'

const FIELDS = ['name', 'email', 'question'] as const
const DRAFT = 'question'

const resolver = checkedBy(QuestionForm)

const keptText = (name: (typeof FIELDS)[number]): string => {
  const text = (readTabDraft(DRAFT) as Record<string, unknown> | null)?.[name]
  return typeof text === 'string' ? text : ''
}

/** A visitor's question; once it is sent, the address it was asked from, and whether the mailed link is to be opened first. */
export const useQuestion = () => {
  const { form, send, ...shown } = useSentForm(resolver, FIELDS)
  const { getValues, setValue, subscribe } = form
  const [sent, setSent] = useState<{ email: string; isHeld: boolean }>()
  /** What the question begins with, to count it. */
  const [startText, setStartText] = useState('')

  // The page is prerendered: what was typed before this ran is newer than what was kept.
  useEffect(() => {
    for (const name of FIELDS) {
      const kept = keptText(name)
      if (kept && !getValues(name)) setValue(name, kept, { shouldValidate: true })
    }
    setStartText(getValues('question') ?? '')
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => writeTabDraft(DRAFT, values),
    })
  }, [getValues, setValue, subscribe])

  const sendOnce = useSendOnce((body: QuestionForm & { id: string }) => api.call('askQuestion', { body }))

  return {
    ...shown,
    startText,
    sent,
    onSubmit: send(sendOnce, ({ isHeld = false }, { email }) => {
      writeTabDraft(DRAFT, undefined)
      setSent({ email, isHeld })
    }),
  }
}
