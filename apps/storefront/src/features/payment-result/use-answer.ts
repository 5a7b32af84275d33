import { ApiError } from '@hedgerow/contract/client'
import type { Problem } from '@hedgerow/contract/endpoint'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useState } from 'react'

/** The payment does not wait for it any more: it was answered in another way. */
const NOT_AWAITED = 409

type UseAnswer = {
  send: () => Promise<unknown>
  /** Shows what was refused at its fields; false when there are none. */
  refuse?: (problem: Problem) => boolean
  /** It was taken, or is not wanted any more. */
  onAnswered: () => void
}

/** Sends the customer's answer to a question of the payment, and says why it was not taken. */
export const useAnswer = () => {
  const [refusal, setRefusal] = useState<string>()
  const answer = async ({ send, refuse, onAnswered }: UseAnswer) => {
    setRefusal(undefined)
    try {
      await send()
      onAnswered()
    } catch (error) {
      if (error instanceof ApiError) {
        if (error.status === NOT_AWAITED) return onAnswered()
        if (refuse?.(error.problem)) return
      }
      setRefusal(messageOf(error))
    }
  }
  return { refusal, answer }
}
