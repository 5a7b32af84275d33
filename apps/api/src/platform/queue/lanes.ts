import type { JobName } from '#platform/queue/add-job.ts'

/**
 * Jobs wait in lanes, each with workers of its own: what is slow, or flooded, in one holds up no other.
 * - 'gateway': what asks the gateway, or nodes, and can wait for them
 * - 'answers': what a customer at the bank's page waits for the gateway to take
 * - 'links': mails that a customer waits for at the screen, and that strangers can have sent to anyone
 * - 'mails': all other mails
 * - 'shop': what needs the database alone
 */
export const LANES = ['gateway', 'answers', 'links', 'mails', 'shop'] as const
export type Lane = (typeof LANES)[number]

export const LANE_OF: Readonly<Record<JobName, Lane>> = {
  'check-payments': 'gateway',
  'watch-disputes': 'gateway',
  'send-refund': 'gateway',
  'fetch-settlement': 'gateway',
  'reach-nodes': 'gateway',
  'send-challenge-result': 'answers',
  'send-method-done': 'answers',
  'mail-confirmation': 'links',
  'mail-reset': 'links',
  'mail-password-changed': 'mails',
  'mail-way-back': 'mails',
  'mail-way-back-soon': 'mails',
  'mail-way-back-ended': 'mails',
  'mail-security-change': 'mails',
  'mail-email-change': 'links',
  'mail-email-changed': 'mails',
  'mail-email-left': 'mails',
  'mail-email-back': 'mails',
  'mail-email-lost': 'mails',
  'mail-farewell': 'mails',
  'mail-moved': 'mails',
  'mail-new-files': 'mails',
  'mail-connection': 'mails',
  'mail-new-keys': 'mails',
  'mail-share-links': 'mails',
  'mail-reminder': 'mails',
  'mail-conversation': 'mails',
  'mail-conversation-received': 'mails',
  'mail-question-received': 'links',
  'mail-question': 'mails',
  'mail-question-reply': 'mails',
  'mail-new-message': 'mails',
  'mail-reply': 'mails',
  'mail-application-state': 'mails',
  'mail-declined': 'mails',
  'mail-receipt': 'mails',
  'mail-refund': 'mails',
  'mail-refund-failed': 'mails',
  'mail-refund-by-hand': 'mails',
  'mail-refund-twice': 'mails',
  'mail-cancellation': 'mails',
  'mail-statement-received': 'links',
  'mail-cancellation-asked': 'mails',
  'mail-order-waits': 'mails',
  'mail-second-person': 'mails',
  'mail-card-testing': 'mails',
  'mail-withdrawal-requested': 'mails',
  'mail-withdrawal-received': 'mails',
  'mail-withdrawal-ended': 'mails',
  'mail-access-changed': 'mails',
  'mail-node-down': 'mails',
  'mail-node-back': 'mails',
  'mail-pool-low': 'mails',
  'mail-operator-digest': 'mails',
  'deliver-payment': 'shop',
  'refuse-withdrawals': 'shop',
  'change-plan': 'shop',
  'change-prices': 'shop',
  'issue-invoices': 'shop',
  'credit-partners': 'shop',
  'maintain-nodes': 'shop',
  'remind-of-ends': 'shop',
  'tidy-up': 'shop',
}
