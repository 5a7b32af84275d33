import { listAlerts } from '#care/overview/alerts.ts'
import type { With } from '#platform/dependencies.ts'
import { operatorMail } from '#platform/mail/operator-letter.ts'

/** What people write and do, which is mailed one by one while it is not too much. */
const OF_PEOPLE = new Set([
  'CancellationAsked',
  'SupportUnanswered',
  'ApplicationNew',
  'WithdrawalAsked',
  'RefundByHand',
  'RefundRefused',
])

/** To the operator, in the place of many mails: what waits now. */
export const mailOperatorDigest = async (
  { db, mailer, settings }: With<'db' | 'mailer' | 'settings'>,
  key: string,
): Promise<void> => {
  const waiting = (await listAlerts(db)).filter(({ name }) => OF_PEOPLE.has(name))
  if (waiting.length === 0) return
  const letter = {
    heading: 'More is waiting for you than we emailed',
    paragraphs: [
      'In the last hour, more arrived than we email one by one. Nothing is lost. This is what is waiting now:',
      ...waiting.map(({ what }) => `${what}.`),
    ],
    page: { label: 'See what is waiting', path: '/' },
    commands: [['What is waiting', 'overview']],
    notes: ['See "MailsHeld" in docs/incidents.md.'],
  } as const
  await mailer.send({ ...operatorMail(letter, settings), key })
}
