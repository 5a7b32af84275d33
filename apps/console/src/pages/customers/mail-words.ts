import type { ReplyOf } from '#lib/api.ts'

type Returned = NonNullable<ReplyOf<'listCustomers'>['rows'][number]['mailReturned']>

/** How our mails do not get through to a customer. */
export const MAIL_WORDS: Readonly<Record<Returned, string>> = {
  refused: 'Refused by their mail server',
  bounced: 'Comes back',
  complained: 'Marked as spam',
}
