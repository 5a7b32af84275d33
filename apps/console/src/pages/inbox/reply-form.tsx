import { Button } from '@hedgerow/ui/button.tsx'
import { CONTROL } from '@hedgerow/ui/form/field-frame.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { api } from '#lib/api.ts'
import { useSavedReplies } from '#pages/inbox/use-saved-replies.tsx'
import { type Reply, useUndoableReply } from '#pages/inbox/use-undoable-reply.ts'
import { useRefresh } from '#shared/use-data.ts'

const MOST = 5_000

/** What is typed, kept in this browser until it is sent. */
const useDraft = (conversationId: string) => {
  const key = `draft of ${conversationId}`
  const [text, setText] = useState(() => localStorage.getItem(key) ?? '')
  const keep = (next: string) => {
    setText(next)
    if (next) localStorage.setItem(key, next)
    else localStorage.removeItem(key)
  }
  return { text, keep, forget: () => localStorage.removeItem(key) }
}

/** It replaces the field that had the focus, and takes it. */
const Sending = ({ onTakeBack }: { onTakeBack: () => void }) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div role="status" className="flex flex-wrap items-center gap-3">
      <span>Sending in a moment …</span>
      <Button ref={button} variant="outline" onClick={onTakeBack}>
        Undo
      </Button>
    </div>
  )
}

type ReplyFormProps = { conversationId: string; after: string; canClose: boolean }

/** Delivers and says so, or why not; the draft stays until it is delivered. */
const useReply = ({ conversationId, after }: Omit<ReplyFormProps, 'canClose'>) => {
  const { text, keep, forget } = useDraft(conversationId)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const refresh = useRefresh()
  const toast = useToast()

  const deliver = async (reply: Reply) => {
    await api.call('replyInInbox', { params: { conversationId }, body: { ...reply, after } })
    forget()
    toast(reply.closes ? 'Sent, and closed' : 'Sent')
    await refresh('openConversation', 'listInbox', 'getToday')
  }
  const finish = async (reply: Reply) => {
    setBusy(true)
    try {
      await deliver(reply)
      keep('')
    } catch (error) {
      setProblem(messageOf(error))
      await refresh('openConversation')
    } finally {
      setBusy(false)
    }
  }
  const { isWaiting, send, takeBack } = useUndoableReply({ deliver, finish })
  const press = (closes: boolean) => {
    setProblem(text.trim() ? '' : 'Please write an answer.')
    if (text.trim()) send({ text: text.trim(), closes })
  }
  return { text, keep, problem, isBusy, isWaiting, press, takeBack }
}

/** An answer, kept as a draft until it is sent; for some seconds it can be taken back. */
export const ReplyForm = ({ conversationId, after, canClose }: ReplyFormProps) => {
  const { text, keep, problem, isBusy, isWaiting, press, takeBack } = useReply({ conversationId, after })
  const field = useRef<HTMLTextAreaElement>(null)
  const saved = useSavedReplies({ field, text, keep })
  const undo = () => {
    takeBack()
    // The field is there again when this has been drawn.
    setTimeout(() => field.current?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (saved.onKeyDown(event)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) press(false)
  }

  if (isWaiting) return <Sending onTakeBack={undo} />
  return (
    <div className="space-y-3">
      {problem && <FormNotice>{problem}</FormNotice>}
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={`answer-${conversationId}`} className="font-medium">
          Your answer
        </label>
        {saved.hasAny && (
          <button type="button" className="link min-h-6 text-sm" onClick={saved.open}>
            Saved replies (/)
          </button>
        )}
      </div>
      <textarea
        ref={field}
        id={`answer-${conversationId}`}
        rows={6}
        maxLength={MOST}
        value={text}
        onChange={({ target }) => saved.onType(target.value, target.selectionStart)}
        onSelect={({ currentTarget }) => saved.onSelect(currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        className={`${CONTROL} min-h-32 resize-y`}
        {...saved.says}
      />
      {saved.list}
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={isBusy} onClick={() => press(false)}>
          Send
        </Button>
        {canClose && (
          <Button variant="outline" busy={isBusy} onClick={() => press(true)}>
            Send and close
          </Button>
        )}
        <span className="text-sm text-quiet-ink">Ctrl+Enter sends. The customer also gets it by email.</span>
      </div>
    </div>
  )
}
