import type { ConversationKind } from '@hedgerow/domain/conversations'

/**
 * The key of the mail to one side about one message, or one change. It comes of the record, not of the job: however often
 * jobs repeat, it is one mail to mail programs, and later mails can name the first, which makes them one thread.
 */
export const keyOf = (recordId: string, to: 'operator' | 'customer'): string => `${to}-${recordId}`

/** The subject of the customer's thread: some mail programs go by it, too. */
export const RECEIVED: Record<ConversationKind, string> = {
  application: 'We received your application',
  support: 'We received your message',
}
