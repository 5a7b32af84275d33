import type { RateCount } from '#platform/http/limits/rate-counter.ts'
import { workContext } from '#platform/instrumentation/work-context.ts'
import type { JobName } from '#platform/queue/add-job.ts'

export type MailName = Extract<JobName, `mail-${string}`>

/**
 * Whom a mail goes to, and so many of its kind in so many minutes at most, of the whole shop, where strangers can have it sent.
 * - 'customer': to a confirmed address, about what its owner has done or what happens to what is theirs
 * - 'anyone': to an address that anyone can type. Above the ceiling it waits, and leaves later; so does what is above the
 *   share of the caller's network, so that a few networks leave the others theirs
 * - 'operator': about what someone has written or done. Above the ceiling one mail says what waits (`mail-operator-digest`)
 */
type MailBound = { to: 'customer' | 'anyone' | 'operator'; most?: number; minutes?: number }

const CUSTOMER: MailBound = { to: 'customer' }
/** About money that moved, a node, or who gets into the console, which no stranger causes. */
const OPERATOR: MailBound = { to: 'operator' }
/** Each kind has its own: a flood of questions holds up no one who signs up. */
const anyone = (most: number): MailBound => ({ to: 'anyone', most, minutes: 10 })
/** What people write or do, of which more is not read one by one: the digest says how much of it waits. */
const OF_PEOPLE: MailBound = { to: 'operator', most: 20, minutes: 60 }

/** Every mail is declared here. docs/security/costly-functions.md says the same, and a test compares them. */
export const MAIL_BOUNDS: Readonly<Record<MailName, MailBound>> = {
  'mail-confirmation': anyone(200),
  'mail-email-change': anyone(60),
  'mail-question-received': anyone(60),
  'mail-statement-received': anyone(60),
  'mail-cancellation-asked': OF_PEOPLE,
  'mail-question': OF_PEOPLE,
  'mail-conversation': OF_PEOPLE,
  'mail-new-message': OF_PEOPLE,
  'mail-withdrawal-requested': OF_PEOPLE,
  'mail-refund-by-hand': OF_PEOPLE,
  'mail-refund-failed': OF_PEOPLE,
  'mail-operator-digest': OPERATOR,
  'mail-check-failing': OPERATOR,
  'mail-refund-twice': OPERATOR,
  'mail-order-waits': OPERATOR,
  'mail-card-testing': OPERATOR,
  'mail-access-changed': OPERATOR,
  'mail-second-person': OPERATOR,
  'mail-withdrawal-recalled': OPERATOR,
  'mail-node-down': OPERATOR,
  'mail-node-back': OPERATOR,
  'mail-pool-low': OPERATOR,
  // To an address that was never confirmed it takes room of the confirmations (`takeRoom`).
  'mail-reset': CUSTOMER,
  'mail-password-changed': CUSTOMER,
  'mail-way-back': CUSTOMER,
  'mail-way-back-soon': CUSTOMER,
  'mail-way-back-ended': CUSTOMER,
  'mail-security-change': CUSTOMER,
  'mail-email-changed': CUSTOMER,
  'mail-email-left': CUSTOMER,
  'mail-email-back': CUSTOMER,
  'mail-email-lost': CUSTOMER,
  'mail-farewell': CUSTOMER,
  'mail-moved': CUSTOMER,
  'mail-new-files': CUSTOMER,
  'mail-brought': CUSTOMER,
  'mail-connection': CUSTOMER,
  'mail-new-keys': CUSTOMER,
  'mail-share-links': CUSTOMER,
  'mail-keys-soon': CUSTOMER,
  'mail-keys-renewed': CUSTOMER,
  'mail-keys-unused': CUSTOMER,
  'mail-reminder': CUSTOMER,
  'mail-conversation-received': CUSTOMER,
  'mail-question-reply': CUSTOMER,
  'mail-reply': CUSTOMER,
  'mail-application-state': CUSTOMER,
  'mail-declined': CUSTOMER,
  'mail-correction': CUSTOMER,
  'mail-receipt': CUSTOMER,
  'mail-refund': CUSTOMER,
  'mail-refund-claim': CUSTOMER,
  'mail-cancellation': CUSTOMER,
  'mail-withdrawal-received': CUSTOMER,
  'mail-withdrawal-ended': CUSTOMER,
  'mail-withdrawal-at-bank': CUSTOMER,
}

export const boundOf = (job: string): MailBound | undefined =>
  (MAIL_BOUNDS as Readonly<Record<string, MailBound>>)[job]

/** A line has one of so many shares of a ceiling, a /48 or a /24 four: a dozen of these are needed to use it up. */
const SHARES = 50

/** What a mail of this job counts for, sent on behalf of the present caller; undefined where it has no ceiling. */
export const ceilingOf = (job: string): RateCount | undefined => {
  const { to, most, minutes = 60 } = boundOf(job) ?? {}
  if (most === undefined) return undefined
  const from = to === 'anyone' ? workContext()?.networks?.() : undefined
  const count = { name: 'mails', of: job, most, seconds: minutes * 60 }
  return from ? { ...count, from, line: most / SHARES } : count
}
