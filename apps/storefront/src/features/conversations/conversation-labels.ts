import type { ConversationKind, ConversationState } from '@hedgerow/domain/conversations'
import type { BadgeTone } from '@hedgerow/ui/badge.tsx'

export const KIND_LABELS: Record<ConversationKind, string> = {
  support: 'Support message',
  application: 'White label application',
}

/** How a conversation stands, as its customer sees it. */
export const STATE_LABELS: Record<ConversationState, { label: string; tone: BadgeTone }> = {
  new: { label: 'Waiting for our reply', tone: 'quiet' },
  answered: { label: 'Answered', tone: 'good' },
  closed: { label: 'Closed', tone: 'quiet' },
  talking: { label: 'In discussion', tone: 'good' },
  accepted: { label: 'Accepted', tone: 'good' },
  refused: { label: 'Declined', tone: 'quiet' },
}
