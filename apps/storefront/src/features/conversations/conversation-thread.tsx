import type { Conversation } from '@hedgerow/contract/conversations'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { useEffect, useId, useRef, useState } from 'react'
import { KIND_LABELS, STATE_LABELS } from '#features/conversations/conversation-labels.ts'
import { MessageList } from '#features/conversations/message-list.tsx'
import { ReplyForm } from '#features/conversations/reply-form.tsx'
import { api } from '#lib/api.ts'
import { Time } from '#shared/time.tsx'

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
  const { kind, state, createdAt } = conversation
  // What the customer has opened or shut stays so, wherever it moves in the list.
  const [startsOpen] = useState(isOpen || isWanted)
  const [sentId, setSentId] = useState<string>()
  const titleId = useId()
  const frame = useRef<HTMLDetailsElement>(null)
  const { label, tone } = STATE_LABELS[state]

  useEffect(() => {
    if (isWanted) frame.current?.scrollIntoView({ block: 'start' })
  }, [isWanted])

  return (
    <details ref={frame} open={startsOpen} className="group scroll-mt-4 border-t border-line py-2">
      <summary className="flex min-h-11 list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-field py-2 hover:text-hedge [&::-webkit-details-marker]:hidden">
        <ChevronDown className="size-5 shrink-0 transition-transform group-open:rotate-180" />
        <h3 id={titleId} className="min-w-0 flex-1 font-sans text-base font-semibold">
          {KIND_LABELS[kind]}
          <Time at={createdAt} className="block text-sm font-normal text-quiet-ink" />
        </h3>
        <Badge tone={tone}>{label}</Badge>
      </summary>
      <div className="max-w-measure pt-3 pb-4">
        <MessageList
          conversation={conversation}
          sentId={sentId}
          earlier="These are the newest messages. “Download my data” has all of them."
        />
        <ReplyForm
          key={sentId}
          owner={accountId}
          conversation={conversation}
          describedBy={titleId}
          send={(body) => api.call('addMessage', { params: { id: conversation._id }, body })}
          onSent={(written) => {
            onWritten(written)
            setSentId(written.messages.at(-1)?._id)
          }}
        />
      </div>
    </details>
  )
}
