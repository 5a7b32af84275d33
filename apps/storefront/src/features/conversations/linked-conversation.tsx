import type { LinkedConversation as Linked } from '@hedgerow/contract/conversations'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { useId, useState } from 'react'
import { STATE_LABELS } from '#features/conversations/conversation-labels.ts'
import { MessageList } from '#features/conversations/message-list.tsx'
import { ReplyForm } from '#features/conversations/reply-form.tsx'
import { api } from '#lib/api.ts'
import { Time } from '#shared/time.tsx'

type LinkedConversationProps = {
  token: string
  conversation: Linked
  onWritten: (conversation: Linked) => void
}

/** A visitor's conversation, as its mailed link opens it. */
export const LinkedConversation = ({ token, conversation, onWritten }: LinkedConversationProps) => {
  const { state, createdAt, linkEndsAt } = conversation
  const [sentId, setSentId] = useState<string>()
  const titleId = useId()
  const { label, tone } = STATE_LABELS[state]
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id={titleId} className="font-sans text-base font-semibold">
          Asked on <Time at={createdAt} />
        </h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <MessageList
        conversation={conversation}
        sentId={sentId}
        earlier="These are the newest messages. The earlier ones are in our emails."
      />
      <ReplyForm
        key={sentId}
        owner="link"
        conversation={conversation}
        describedBy={titleId}
        send={(body) => api.call('writeByLink', { body: { ...body, token } })}
        onSent={(written) => {
          onWritten(written)
          setSentId(written.messages.at(-1)?._id)
        }}
      />
      <p className="mt-8 border-t border-line pt-4 text-sm text-quiet-ink">
        Anyone with this link can read and reply. It works until <Time at={linkEndsAt} isDay />, and longer if
        one of us writes again.
      </p>
    </>
  )
}
