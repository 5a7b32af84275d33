import { declarationTo, refundDueBy } from '@hedgerow/domain/cancellations'
import { formatDate, formatUkTime } from '@hedgerow/domain/dates'
import { findStatement } from '#money/cancellations/statements.queries.ts'
import type { CancellationStatementRow } from '#platform/database/tables/cancellations.table.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'
import { operatorMail } from '#platform/mail/operator-letter.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

/** A stranger may have typed the words and the address: mail programs shall make no link of them. */
const withoutLinks = (text: string): string =>
  text.replace(/:(?=\/\/)/g, ': ').replace(/[.．。｡](?=[\p{L}\p{N}])/gu, '$& ')

/** To the second, for people and for comparing. */
const timeOf = ({ received_at }: CancellationStatementRow): string =>
  `${formatUkTime(received_at)} (${received_at.toISOString().slice(0, 19)}Z)`

/** All of it, as its page showed it to be confirmed. */
const wordsOf = (
  { name, email, contract, message }: CancellationStatementRow,
  { legalName }: Deps['settings']['brand']['company'],
): string =>
  [
    declarationTo(legalName),
    `Contract: ${contract}`,
    `Name: ${name}`,
    `Confirmation to: ${email}`,
    ...(message ? ['', message] : []),
  ].join('\n')

/**
 * To the address given as the sender: it has arrived, then, and these were the words. The address is not confirmed, so
 * the mail does not use the name.
 */
export const mailStatementReceived = async (
  { db, mailer, settings }: Deps,
  statementId: string,
): Promise<void> => {
  const row = await findStatement(db, statementId)
  if (!row) return
  const { brand } = settings
  const letter = {
    heading: 'We received your cancellation',
    paragraphs: [
      'Hello,',
      `On ${timeOf(row)}, we received a statement that cancels a contract and names this address. Keep this email as proof. This is what was sent:`,
    ],
    quote: withoutLinks(wordsOf(row, brand.company)),
    notes: [
      'A person will look for the purchase and write to the email of its account. In the quoted text we added a space after each full stop, so that it contains no links.',
      'If this was not you, you don’t need to do anything. Nothing is cancelled until we know whose purchase it is.',
    ],
  }
  const subject = 'We received your cancellation'
  await mailer.send({ to: row.email, subject, key: `sender-${row.id}`, ...renderLetter(letter, brand) })
}

/** To the operator: a customer who cannot log in cancels. */
export const mailCancellationAsked = async (
  { db, mailer, settings }: Deps,
  statementId: string,
): Promise<void> => {
  const row = await findStatement(db, statementId)
  if (!row) return
  const receivedAt = row.received_at.toISOString()
  const letter = {
    heading: 'Someone has cancelled without logging in',
    paragraphs: [
      `This arrived on ${timeOf(row)}. That time counts, whenever you act. The unused part must be refunded by ${formatDate(refundDueBy(row.received_at))}.`,
      ...(row.is_acknowledged
        ? []
        : [
            'It was not acknowledged automatically, because this address was sent too many emails today. Acknowledge it by hand.',
          ]),
    ],
    quote: wordsOf(row, settings.brand.company),
    notes: [
      'Find the purchase and cancel it as of that time, then close the statement.',
      'The address is not verified. If the account has another one, write to that. Replying to this email reaches the address in the statement.',
    ],
    page: { label: 'Open the cancellation', path: '/cancellations' },
    commands: [
      ['Find the purchase', 'customer find --words WORDS'],
      ['Cancel it', `payment cancel PAYMENT --asked-at ${receivedAt}`],
      ['When nothing is left to do', `cancellation close ${row.id}`],
    ],
  } as const
  const key = `operator-${row.id}`
  await mailer.send({ ...operatorMail(letter, settings), replyTo: row.email, key })
}
