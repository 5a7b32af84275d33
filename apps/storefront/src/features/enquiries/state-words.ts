import type { EnquiryKind, EnquiryState } from '@hedgerow/domain/enquiries'
import type { BadgeTone } from '#ui/badge.tsx'

export const KIND_WORDS: Record<EnquiryKind, string> = {
  support: 'Support message',
  application: 'White label application',
}

/** How a conversation stands, as its customer sees it. */
export const STATE_WORDS: Record<EnquiryState, { label: string; tone: BadgeTone }> = {
  new: { label: 'Waiting for us', tone: 'quiet' },
  answered: { label: 'Answered', tone: 'good' },
  closed: { label: 'Closed', tone: 'quiet' },
  talking: { label: 'In talks', tone: 'good' },
  accepted: { label: 'Accepted', tone: 'good' },
  refused: { label: 'Declined', tone: 'quiet' },
}
