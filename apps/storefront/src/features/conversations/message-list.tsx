import type { Conversation } from '@hedgerow/contract/conversations'
import { type Ref, useEffect, useRef } from 'react'
import { brand } from '#shared/brand.ts'
import { Time } from '#shared/time.tsx'

const AUTHORS = {
  customer: { name: 'You', look: 'border-line bg-paper sm:ml-10' },
  operator: { name: brand.name, look: 'border-hedge bg-hedge-tint sm:mr-10' },
} as const

type MessageProps = { message: Conversation['messages'][number]; ref: Ref<HTMLLIElement> | undefined }

const Message = ({ message: { author, text, createdAt }, ref }: MessageProps) => (
  <li ref={ref} tabIndex={-1} className={`rounded-card border px-4 py-3 ${AUTHORS[author].look}`}>
    <p className="flex flex-wrap justify-between gap-x-4 text-sm">
      <span className="font-semibold">{AUTHORS[author].name}</span>
      <Time at={createdAt} className="text-quiet-ink tabular-nums" />
    </p>
    <p className="mt-1 whitespace-pre-line wrap-anywhere">{text}</p>
  </li>
)

type MessageListProps = {
  conversation: Conversation
  /** What was just sent: the form that had the focus has gone, and this takes it once it is shown. */
  sentId: string | undefined
  /** Said above where there are others before. */
  earlier: string
}

/** What both have written, the newest last. */
export const MessageList = ({ conversation, sentId, earlier }: MessageListProps) => {
  const { hasEarlier, messages } = conversation
  const lastMessage = useRef<HTMLLIElement>(null)
  const lastId = messages.at(-1)?._id
  useEffect(() => {
    if (sentId && sentId === lastId) lastMessage.current?.focus()
  }, [sentId, lastId])
  return (
    <>
      {hasEarlier && <p className="mb-4 text-sm text-quiet-ink">{earlier}</p>}
      <ol className="space-y-3">
        {messages.map((message) => (
          <Message
            key={message._id}
            message={message}
            ref={message._id === lastId ? lastMessage : undefined}
          />
        ))}
      </ol>
    </>
  )
}
