import { CancellationForm, type declareCancellation } from '@hedgerow/contract/cancellations'
import { ApiError } from '@hedgerow/contract/client'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { useSendOnce } from '@hedgerow/web/use-send-once.ts'
import { useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { api } from '#lib/api.ts'
import { readTabDraft, writeTabDraft } from '#lib/drafts.ts'

const STATEMENT_FIELDS = ['name', 'contract', 'email', 'message'] as const

type Received = z.infer<(typeof declareCancellation)['schema']['response'][201]>

/** Typed, then looked at once more, then received. */
export type StatementStep =
  /** `again`: come back to, to change it. */
  | { at: 'typing'; again?: true }
  | { at: 'review'; statement: CancellationForm }
  | { at: 'received'; statement: CancellationForm; receivedAt: Received['receivedAt'] }

const DRAFT = 'cancellation'
const UNPROCESSABLE = 422

const resolver = checkedBy(CancellationForm)

const keptText = (name: (typeof STATEMENT_FIELDS)[number]): string => {
  const text = (readTabDraft(DRAFT) as Record<string, unknown> | null)?.[name]
  return typeof text === 'string' ? text : ''
}

/** A statement that withdraws from a contract, in two steps: nothing is sent before the second. */
export const useStatement = () => {
  const { form, send, ...shown } = useSentForm(resolver, STATEMENT_FIELDS)
  const { getValues, setValue, subscribe } = form
  const [step, setStep] = useState<StatementStep>({ at: 'typing' })
  /** What the longest of the fields begins with, to count it. */
  const [startText, setStartText] = useState('')

  // The page is prerendered: what was typed before this ran is newer than what was kept.
  useEffect(() => {
    for (const name of STATEMENT_FIELDS) {
      const kept = keptText(name)
      if (kept && !getValues(name)) setValue(name, kept, { shouldValidate: true })
    }
    setStartText(getValues('message') ?? '')
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => writeTabDraft(DRAFT, values),
    })
  }, [getValues, setValue, subscribe])

  const sendOnce = useSendOnce(async (body: CancellationForm & { id: string }) => {
    const { receivedAt } = await api.call('declareCancellation', { body })
    const { id: _id, ...statement } = body
    writeTabDraft(DRAFT, undefined)
    setStep({ at: 'received', statement, receivedAt })
  })

  const change = () => {
    setStartText(getValues('message') ?? '')
    setStep({ at: 'typing', again: true })
  }

  const confirm = send((statement) =>
    sendOnce(statement).catch((error: unknown) => {
      // What was refused is said at its field.
      if (error instanceof ApiError && error.status === UNPROCESSABLE) change()
      throw error
    }),
  )

  return {
    ...shown,
    step,
    startText,
    review: shown.submit(async (statement) => setStep({ at: 'review', statement })),
    change,
    confirm,
  }
}
