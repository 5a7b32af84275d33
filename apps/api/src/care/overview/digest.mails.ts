import { listAlerts } from '#care/overview/alerts.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'

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
  const heading = 'More is waiting for you than was mailed'
  const letter = {
    heading,
    paragraphs: [
      'In the last hour, more arrived than we email one by one. Nothing is lost. This is what is waiting now:',
      ...waiting.map(({ what }) => `${what}.`),
    ],
    action: { label: 'Open the console', url: settings.consoleUrl },
    notes: ['See "MailsHeld" in docs/incidents.md.'],
  }
  await mailer.send({
    to: settings.operatorEmail,
    subject: heading,
    key,
    ...renderLetter(letter, settings.brand),
  })
}
