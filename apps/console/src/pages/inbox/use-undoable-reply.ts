import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** So long what is sent can be taken back. */
const UNDO_MS = 5_000

export type Reply = { text: string; closes: boolean }

type Does = {
  deliver: (reply: Reply) => Promise<void>
  /** The time is over, and the page still there. */
  finish: (reply: Reply) => Promise<void>
}

/** A reply that waits for a moment in which it can be taken back; who leaves the page has sent it. */
export const useUndoableReply = ({ deliver, finish }: Does) => {
  const [waiting, setWaiting] = useState<Reply>()
  const toast = useToast()
  /** It was sent, or taken back. */
  const isSettled = useRef(true)

  const onLeave = useEffectEvent((reply: Reply) => {
    // The draft is still there when the operator comes back.
    deliver(reply).catch((error) => toast(`Your answer was not sent: ${messageOf(error)}`))
  })
  const onTime = useEffectEvent((reply: Reply) => {
    isSettled.current = true
    setWaiting(undefined)
    void finish(reply)
  })

  useEffect(() => {
    if (!waiting) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    const timer = setTimeout(() => onTime(waiting), UNDO_MS)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('beforeunload', warn)
      // Another page was opened meanwhile: what was sent is sent.
      if (!isSettled.current) onLeave(waiting)
    }
  }, [waiting])

  return {
    isWaiting: waiting !== undefined,
    send: (reply: Reply) => {
      isSettled.current = false
      setWaiting(reply)
    },
    takeBack: () => {
      isSettled.current = true
      setWaiting(undefined)
    },
  }
}
