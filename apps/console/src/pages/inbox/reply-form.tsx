import { Button } from '@hedgerow/ui/button.tsx'
import { CONTROL } from '@hedgerow/ui/form/field-frame.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { api } from '#lib/api.ts'
import { useData, useRefresh } from '#shared/use-data.ts'

const MOST = 5_000
/** So long what is sent can be taken back. */
const UNDO_MS = 5_000

type ReplyFormProps = { conversationId: string; after: string; canClose: boolean }
type Waiting = { text: string; closes: boolean }

const draftKey = (id: string) => `draft of ${id}`

/** An answer, kept as a draft in this browser until it is sent; for five seconds it can be taken back. */
export const ReplyForm = ({ conversationId, after, canClose }: ReplyFormProps) => {
  const key = draftKey(conversationId)
  const [text, setText] = useState(() => localStorage.getItem(key) ?? '')
  const [waiting, setWaiting] = useState<Waiting>()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const canned = useData('listCannedReplies', {})
  const refresh = useRefresh()
  const toast = useToast()
  const takeBack = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  /** It was sent, or taken back. */
  const isSettled = useRef(true)

  const keep = (next: string) => {
    setText(next)
    if (next) localStorage.setItem(key, next)
    else localStorage.removeItem(key)
  }

  const deliver = async (reply: Waiting) => {
    await api.call('replyInInbox', { params: { conversationId }, body: { ...reply, after } })
    localStorage.removeItem(key)
    toast(reply.closes ? 'Sent, and closed' : 'Sent')
    await refresh('openConversation', 'listInbox', 'getToday')
  }
  const leave = useEffectEvent((reply: Waiting) =>
    // The draft is still there for whoever comes back.
    deliver(reply).catch((error) => toast(`Your answer was not sent: ${messageOf(error)}`)),
  )
  const finish = useEffectEvent(async (reply: Waiting) => {
    setWaiting(undefined)
    setBusy(true)
    try {
      await deliver(reply)
      setText('')
    } catch (error) {
      setProblem(messageOf(error))
      await refresh('openConversation')
    } finally {
      setBusy(false)
    }
  })

  useEffect(() => {
    if (!waiting) return
    takeBack.current?.focus()
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    const timer = setTimeout(() => {
      isSettled.current = true
      void finish(waiting)
    }, UNDO_MS)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('beforeunload', warn)
      // Another page was opened meanwhile: what was sent is sent.
      if (!isSettled.current) void leave(waiting)
    }
  }, [waiting])

  const send = (closes: boolean) => {
    setProblem('')
    if (text.trim() === '') return setProblem('Please write an answer.')
    isSettled.current = false
    setWaiting({ text: text.trim(), closes })
  }
  const undo = () => {
    isSettled.current = true
    setWaiting(undefined)
    // The field is there again when this has been drawn.
    setTimeout(() => field.current?.focus())
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(false)
  }

  if (waiting)
    return (
      <div role="status" className="flex flex-wrap items-center gap-3">
        <span>Sending in a moment …</span>
        <Button ref={takeBack} variant="outline" onClick={undo}>
          Take it back
        </Button>
      </div>
    )
  return (
    <div className="space-y-3">
      {problem && <FormNotice>{problem}</FormNotice>}
      {canned.data && canned.data.length > 0 && (
        <BareSelect
          aria-label="Insert a saved reply"
          value=""
          onChange={({ target }) => {
            const reply = canned.data.find(({ id }) => id === target.value)
            if (reply) keep(text ? `${text}\n\n${reply.text}` : reply.text)
          }}
        >
          <option value="">Insert a saved reply …</option>
          {canned.data.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </BareSelect>
      )}
      <label htmlFor={`answer-${conversationId}`} className="block font-medium">
        Your answer
      </label>
      <textarea
        ref={field}
        id={`answer-${conversationId}`}
        rows={6}
        maxLength={MOST}
        value={text}
        onChange={({ target }) => keep(target.value)}
        onKeyDown={press}
        className={`${CONTROL} min-h-32 resize-y`}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={isBusy} onClick={() => send(false)}>
          Send
        </Button>
        {canClose && (
          <Button variant="outline" busy={isBusy} onClick={() => send(true)}>
            Send and close
          </Button>
        )}
        <span className="text-sm text-quiet-ink">Ctrl+Enter sends. The customer gets it by mail, too.</span>
      </div>
    </div>
  )
}
