import { commissionNumberOrNull } from '@hedgerow/domain/commissions'
import { formatUkTime } from '@hedgerow/domain/dates'
import { formatMoney } from '@hedgerow/domain/money'
import { findWithdrawalFacts, type WithdrawalFacts } from '#partners/withdrawals/withdrawals.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { type Letter, renderLetter } from '#platform/mail/layout.ts'
import { operatorMail } from '#platform/mail/operator-letter.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

const sumOf = ({ amount_minor, currency }: WithdrawalFacts) => formatMoney(amount_minor, currency)

const accountOf = ({ ends_with }: WithdrawalFacts) => `your account ending in ${ends_with}`

const pageOf = (withdrawalId: string) => ({
  label: 'Open the withdrawal',
  path: `/withdrawals/${withdrawalId}`,
})

/** To the operator. Where the money goes is for the console and the tool to tell, and for no mailbox. */
export const mailWithdrawalRequested = async (
  { db, mailer, settings }: Deps,
  withdrawalId: string,
  key: string,
) => {
  const withdrawal = await findWithdrawalFacts(db, withdrawalId)
  if (!withdrawal?.email) return
  const letter = {
    heading: `A partner has requested ${sumOf(withdrawal)}`,
    paragraphs: [
      `${withdrawal.email} requested ${sumOf(withdrawal)} on ${formatUkTime(withdrawal.created_at)}.`,
      'The withdrawal says where the money goes. Once it is sent, mark it as paid.',
    ],
    page: pageOf(withdrawalId),
    commands: [
      ['See where the money goes', `withdrawal show ${withdrawalId}`],
      ['Once it is sent', `withdrawal paid ${withdrawalId}`],
    ],
  } as const
  await mailer.send({ ...operatorMail(letter, settings), key })
}

/** To the operator: a file for the bank has what is not to be paid. */
export const mailWithdrawalRecalled = async (
  { db, mailer, settings }: Deps,
  withdrawalId: string,
  key: string,
) => {
  const withdrawal = await findWithdrawalFacts(db, withdrawalId)
  if (!withdrawal?.email || !withdrawal.batch_id || withdrawal.status !== 'requested') return
  const letter = {
    heading: `Do not pay ${sumOf(withdrawal)} to a partner`,
    paragraphs: [
      `${withdrawal.email} took the account back by email after a withdrawal of ${sumOf(withdrawal)} was requested on ${formatUkTime(withdrawal.created_at)}. Someone else may have requested it.`,
      `It is in batch ${withdrawal.batch_id} under ${withdrawal.payout_reference}. Do not send that file, or ask the bank to stop or recall this transfer.`,
      'Once it is certain that the bank will not pay it, release the withdrawal, which refuses it. If the bank has paid it, mark it as paid.',
    ],
    page: pageOf(withdrawalId),
    commands: [
      ['Once the bank will not pay it', `withdrawal release ${withdrawalId}`],
      ['If the bank has paid it', `withdrawal paid ${withdrawalId}`],
    ],
  } as const
  await mailer.send({ ...operatorMail(letter, settings), key })
}

const mailPartner = async (
  { db, mailer, settings }: Deps,
  withdrawalId: string,
  key: string,
  write: (withdrawal: WithdrawalFacts) => Letter,
) => {
  const withdrawal = await findWithdrawalFacts(db, withdrawalId)
  if (!withdrawal?.email) return
  const letter = write(withdrawal)
  const greeting = `Hello ${withdrawal.name},`
  await mailer.send({
    to: withdrawal.email,
    subject: letter.heading,
    key,
    ...renderLetter({ ...letter, paragraphs: [greeting, ...letter.paragraphs] }, settings.brand),
  })
}

const partnershipPage = ({ settings }: Deps) => ({
  label: 'See your partner account',
  url: `${settings.publicUrl}/profile?tab=partnership`,
})

const notYours = ({ settings }: Deps) => [
  `If you did not request this, write to ${settings.brand.company.email} at once.`,
]

/** To the partner: it has arrived, and a person handles it. */
export const mailWithdrawalReceived = (deps: Deps, withdrawalId: string, key: string) =>
  mailPartner(deps, withdrawalId, key, (withdrawal) => ({
    heading: `You requested ${sumOf(withdrawal)}`,
    paragraphs: [
      `We have received your request to pay ${sumOf(withdrawal)} from your partner account to ${accountOf(withdrawal)}.`,
      'A person checks and sends each payment. We will email you when it is on its way.',
    ],
    action: partnershipPage(deps),
    notes: notYours(deps),
  }))

/** To the partner: it was requested soon before they took the account back, and the bank may have it. */
export const mailWithdrawalAtBank = (deps: Deps, withdrawalId: string, key: string) =>
  mailPartner(deps, withdrawalId, key, (withdrawal) => ({
    heading: `A withdrawal of ${sumOf(withdrawal)} may be on its way`,
    paragraphs: [
      `${sumOf(withdrawal)} was requested to an account ending in ${withdrawal.ends_with} on ${formatUkTime(withdrawal.created_at)}, soon before you took your account back. In case it was not you, we are trying to stop it at our bank. We will email you the result.`,
    ],
    action: partnershipPage(deps),
    notes: notYours(deps),
  }))

const paid = (deps: Deps, withdrawal: WithdrawalFacts): Letter => {
  const document = commissionNumberOrNull(withdrawal.document_year, withdrawal.document_number)
  return {
    heading: `We have paid you ${sumOf(withdrawal)}`,
    paragraphs: [
      `${sumOf(withdrawal)} from your partner account is on its way to ${accountOf(withdrawal)}.`,
      ...(withdrawal.reference ? [`Its reference is ${withdrawal.reference}.`] : []),
      'Most banks show it within two working days.',
      ...(document ? [`Your document about it, ${document}, is in your partner account.`] : []),
    ],
    action: partnershipPage(deps),
  }
}

const refused = (deps: Deps, withdrawal: WithdrawalFacts): Letter => ({
  heading: `We could not pay you ${sumOf(withdrawal)}`,
  paragraphs: [
    `You requested ${sumOf(withdrawal)} to ${accountOf(withdrawal)}. We did not send it. It is back in your partner account, less anything taken back for refunds since then. This is why:`,
  ],
  quote: withdrawal.reason ?? '',
  action: partnershipPage(deps),
  notes: [`If you have a question, write to ${deps.settings.brand.company.email}.`],
})

/** To the partner: the money is on its way, or why it is not. */
export const mailWithdrawalEnded = (deps: Deps, withdrawalId: string, key: string) =>
  mailPartner(deps, withdrawalId, key, (withdrawal) =>
    withdrawal.status === 'paid' ? paid(deps, withdrawal) : refused(deps, withdrawal),
  )
