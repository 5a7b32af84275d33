import type { Conversation } from '@hedgerow/contract/conversations'
import { formatDateTime } from '@hedgerow/domain/dates'
import { ChevronDown } from 'lucide-react'
import { type Ref, useEffect, useId, useRef, useState } from 'react'
import { KIND_LABELS, STATE_LABELS } from '#features/conversations/conversation-labels.ts'
import { ReplyForm } from '#features/conversations/reply-form.tsx'
import { brand } from '#shared/brand.ts'
import { Badge } from '#ui/badge.tsx'

const AUTHORS = {
  customer: { name: 'You', look: 'border-line bg-paper sm:ml-10' },
  operator: { name: brand.name, look: 'border-hedge bg-hedge-tint sm:mr-10' },
} as const

const timeOf = (instant: string) => formatDateTime(new Date(instant))

type MessageProps = { message: Conversation['messages'][number]; ref: Ref<HTMLLIElement> | undefined }

const Message = ({ message: { author, text, createdAt }, ref }: MessageProps) => (
  <li ref={ref} tabIndex={-1} className={`rounded-card border px-4 py-3 ${AUTHORS[author].look}`}>
    <p className="flex flex-wrap justify-between gap-x-4 text-sm">
      <span className="font-semibold">{AUTHORS[author].name}</span>
      <time dateTime={createdAt} className="text-quiet-ink tabular-nums">
        {timeOf(createdAt)}
      </time>
    </p>
    <p className="mt-1 whitespace-pre-line wrap-anywhere">{text}</p>
  </li>
)

type ConversationThreadProps = {
  accountId: string
  conversation: Conversation
  isOpen: boolean
  /** The address names it: it is brought into view. */
  isWanted: boolean
  onWritten: (conversation: Conversation) => void
}

/** A conversation from its first words to its last, and the form to reply. */
export const ConversationThread = (props: ConversationThreadProps) => {
  const { accountId, conversation, isOpen, isWanted, onWritten } = props
  const { kind, state, createdAt, hasEarlier, messages } = conversation
  // What the customer has opened or shut stays so, wherever it moves in the list.
  const [startsOpen] = useState(isOpen || isWanted)
  const [sentId, setSentId] = useState<string>()
  const titleId = useId()
  const frame = useRef<HTMLDetailsElement>(null)
  const lastMessage = useRef<HTMLLIElement>(null)
  const { label, tone } = STATE_LABELS[state]

  useEffect(() => {
    if (isWanted) frame.current?.scrollIntoView({ block: 'start' })
  }, [isWanted])
  // The form that had the focus has gone: what was sent takes it, once it is shown.
  const lastId = messages.at(-1)?._id
  useEffect(() => {
    if (sentId && sentId === lastId) lastMessage.current?.focus()
  }, [sentId, lastId])

  return (
    <details ref={frame} open={startsOpen} className="group scroll-mt-4 border-t border-line py-2">
      <summary className="flex min-h-11 list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-field py-2 hover:text-hedge [&::-webkit-details-marker]:hidden">
        <ChevronDown
          className="size-5 shrink-0 transition-transform group-open:rotate-180"
          aria-hidden="true"
        />
        <h3 id={titleId} className="min-w-0 flex-1 font-sans text-base font-semibold">
          {KIND_LABELS[kind]}
          <span className="block text-sm font-normal text-quiet-ink">{timeOf(createdAt)}</span>
        </h3>
        <Badge tone={tone}>{label}</Badge>
      </summary>
      <div className="max-w-measure pt-3 pb-4">
        {hasEarlier && (
          <p className="mb-4 text-sm text-quiet-ink">
            These are the newest messages. “Download my data” has all of them.
          </p>
        )}
        <ol className="space-y-3">
          {messages.map((message) => (
            <Message
              key={message._id}
              message={message}
              ref={message._id === lastId ? lastMessage : undefined}
            />
          ))}
        </ol>
        <ReplyForm
          key={sentId}
          accountId={accountId}
          conversation={conversation}
          describedBy={titleId}
          onSent={(written) => {
            onWritten(written)
            setSentId(written.messages.at(-1)?._id)
          }}
        />
      </div>
    </details>
  )
}
