import { ApiError } from '@hedgerow/contract/client'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useCheckedForm } from '#web/form/use-checked-form.ts'
import { isDeclined } from '#web/is-declined.ts'
import { messageOf } from '#web/message-of.ts'

/** A checked form that one call sends. What the server refuses is shown at its fields; any other failure is `problem`. */
export const useSentForm = <In extends FieldValues, Out>(
  ...args: Parameters<typeof useCheckedForm<In, Out>>
) => {
  const checked = useCheckedForm<In, Out>(...args)
  const [problem, setProblem] = useState<string>()

  const fail = (error: unknown) => {
    if (isDeclined(error)) return
    if (error instanceof ApiError && error.status === 422 && checked.refuse(error.problem)) return
    setProblem(messageOf(error))
  }

  return {
    ...checked,
    problem,
    /** Plain calls, not mutations: a mutation's cache would remember what was typed, passwords too. */
    send: <R>(call: (values: Out) => Promise<R>, onSent?: (reply: R, values: Out) => void) =>
      checked.submit(async (values) => {
        setProblem(undefined)
        await call(values).then((reply) => onSent?.(reply, values), fail)
      }),
  }
}
