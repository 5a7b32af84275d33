import { Button } from '@hedgerow/ui/button.tsx'
import { CONTROL } from '@hedgerow/ui/form/field-frame.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { type KeyboardEvent, useEffect, useState } from 'react'
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

  const keep = (next: string) => {
    setText(next)
    if (next) localStorage.setItem(key, next)
    else localStorage.removeItem(key)
  }

  useEffect(() => {
    if (!waiting) return
    const send = async () => {
      setWaiting(undefined)
      setBusy(true)
      try {
        await api.call('replyInInbox', { params: { conversationId }, body: { ...waiting, after } })
        localStorage.removeItem(key)
        setText('')
        toast(waiting.closes ? 'Sent, and closed' : 'Sent')
        await refresh('openConversation', 'listInbox', 'getToday')
      } catch (error) {
        setProblem(messageOf(error))
        await refresh('openConversation')
      } finally {
        setBusy(false)
      }
    }
    const timer = setTimeout(() => void send(), UNDO_MS)
    return () => clearTimeout(timer)
  }, [waiting, after, conversationId, key, refresh, toast])

  const send = (closes: boolean) => {
    setProblem('')
    if (text.trim() === '') return setProblem('Please write an answer.')
    setWaiting({ text: text.trim(), closes })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(false)
  }

  if (waiting)
    return (
      <div role="status" className="flex flex-wrap items-center gap-3">
        <span>Sending in a moment …</span>
        <Button variant="outline" onClick={() => setWaiting(undefined)}>
          Take it back
        </Button>
      </div>
    )
  return (
    <div className="space-y-3">
      {problem && <FormNotice>{problem}</FormNotice>}
      {canned.data && canned.data.length > 0 && (
        <BareSelect
          aria-label="Insert a ready answer"
          value=""
          onChange={({ target }) => {
            const reply = canned.data.find(({ id }) => id === target.value)
            if (reply) keep(text ? `${text}\n\n${reply.text}` : reply.text)
          }}
        >
          <option value="">Insert a ready answer …</option>
          {canned.data.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </BareSelect>
      )}
      <textarea
        aria-label="Your answer"
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
        <span className="text-sm text-quiet-ink">Ctrl+Enter sends. It goes out as a mail, too.</span>
      </div>
    </div>
  )
}
