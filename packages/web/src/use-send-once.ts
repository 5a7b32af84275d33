import { ApiError } from '@hedgerow/contract/client'
import { useRef } from 'react'
import { randomId } from '#web/random-id.ts'

/**
 * Sends words under an id of their own. The same words sent again, after an answer that was lost on its way, carry the
 * same id, by which the server knows them; other words are another message.
 */
export const useSendOnce = <V extends object, R>(send: (body: V & { id: string }) => Promise<R>) => {
  const last = useRef({ id: '', words: '' })
  return async (values: V): Promise<R> => {
    const words = JSON.stringify(values)
    if (last.current.words !== words) last.current = { id: randomId(), words }
    try {
      return await send({ ...values, id: last.current.id })
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) last.current = { id: '', words: '' }
      throw error
    }
  }
}
