import { REASON_LONGEST, REFERENCE_LONGEST, WITHDRAWAL_STATUSES } from '@hedgerow/domain/withdrawals'
import * as z from 'zod/mini'
import { PdfReply } from '../endpoint.ts'
import { Uuid } from '../fields.ts'
import { PartnerBilling } from '../partnership.ts'
import { columnsOf } from './columns.ts'
import { bodyOf, choiceOf, optional, shapeOf, text, tick } from './fields.ts'
import { csvQuery, listQuery, pageOf, Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const WithdrawalView = z.object({
  id: z.string(),
  /** Null of an account that is deleted. */
  partnerId: z.nullable(z.string()),
  sum: Sum,
  status: z.enum(WITHDRAWAL_STATUSES),
  method: z.string(),
  /** The last characters of the account that the money goes to. */
  endsWith: z.string(),
  createdAt: Time,
  /** When its partner took the account back from someone who may have requested it: do not pay it. */
  recalledAt: z.nullable(Time),
  endedAt: z.nullable(Time),
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** The file for the bank that it stands in, and what it is called there. */
  batch: z.nullable(z.string()),
  payoutReference: z.nullable(z.string()),
  /** The number of the document about it: 'CM-2026-000001'. */
  document: z.nullable(z.string()),
  owing: Sum,
})
export type WithdrawalView = z.infer<typeof WithdrawalView>

const withdrawalColumns = columnsOf<WithdrawalView>([
  { name: 'id', title: 'Withdrawal', kind: 'id' },
  { name: 'createdAt', title: 'Requested', kind: 'time', sort: 'createdAt' },
  { name: 'sum', title: 'Amount', kind: 'sum' },
  { name: 'status', title: 'Status', kind: 'word' },
  { name: 'endsWith', title: 'Account ends with', kind: 'text' },
  { name: 'owing', title: 'Owed back', kind: 'sum' },
  { name: 'batch', title: 'File', kind: 'word' },
  { name: 'recalledAt', title: 'Recalled', kind: 'time' },
  { name: 'endedAt', title: 'Ended', kind: 'time', isExtra: true },
  { name: 'reference', title: 'Reference', kind: 'text', isExtra: true },
  { name: 'reason', title: 'Reason', kind: 'text', isExtra: true },
  { name: 'document', title: 'Document', kind: 'word', isExtra: true },
  { name: 'partnerId', title: 'Partner', kind: 'id' },
])

const WITHDRAWAL_SORTS = ['createdAt', '-createdAt'] as const
const withdrawalFilters = {
  state: optional(choiceOf('Status', WITHDRAWAL_STATUSES)),
  currency: optional(choiceOf('Currency', ['EUR', 'GBP'])),
  partnerId: optional(text('Partner', Uuid)),
}

const seesWithdrawals = {
  access: 'operator',
  permission: 'withdrawals.see',
  consequence: 'looks',
  record: 'reads',
} as const
const pays = { access: 'operator', permission: 'withdrawals.pay', consequence: 'money' } as const

export const listConsoleWithdrawals = operatorEndpoint({
  ...consoleRoutes.listConsoleWithdrawals,
  ...seesWithdrawals,
  command: 'withdrawal list',
  summary: 'What partners want paid, and what they were paid',
  fields: withdrawalFilters,
  columns: withdrawalColumns,
  schema: {
    querystring: listQuery(WITHDRAWAL_SORTS, shapeOf(withdrawalFilters)),
    response: { 200: pageOf(WithdrawalView) },
  },
})

export const exportWithdrawals = operatorEndpoint({
  ...consoleRoutes.exportWithdrawals,
  ...seesWithdrawals,
  command: 'withdrawal list',
  isDownload: true,
  summary: 'The same as a file, for the books: no bank account in full',
  schema: { querystring: csvQuery(WITHDRAWAL_SORTS, shapeOf(withdrawalFilters)), response: {} },
})

const ofWithdrawal = z.object({ withdrawalId: Uuid })
const WithdrawalReport = z.extend(WithdrawalView, { rings: z.int() })

export const getConsoleWithdrawal = operatorEndpoint({
  ...consoleRoutes.getConsoleWithdrawal,
  ...seesWithdrawals,
  summary: 'One withdrawal',
  schema: { params: ofWithdrawal, response: { 200: WithdrawalReport } },
  problems: [404],
})

/** With spaces and dashes, as they are typed at a bank. */
const BankAccount = z.object({
  holder: z.string(),
  iban: z.nullable(z.string()),
  sortCode: z.nullable(z.string()),
  account: z.nullable(z.string()),
})

export const openConsoleWithdrawal = operatorEndpoint({
  ...consoleRoutes.openConsoleWithdrawal,
  ...pays,
  consequence: 'exports',
  record: { opens: 'withdrawal show', subject: 'withdrawalId' },
  summary: 'One withdrawal, with the partner and the account that the money goes to',
  schema: {
    params: ofWithdrawal,
    response: {
      200: z.extend(WithdrawalReport, {
        /** Null of an account that is deleted. */
        email: z.nullable(z.string()),
        bank: z.nullable(BankAccount),
        whyNoBank: z.nullable(z.string()),
        /** Whom its document is to, as the partner says now: look the number up before you pay VAT to anyone. */
        billing: PartnerBilling,
      }),
    },
  },
  problems: [404],
})

export const commissionPdf = operatorEndpoint({
  ...consoleRoutes.commissionPdf,
  ...pays,
  consequence: 'exports',
  record: { opens: 'withdrawal show', subject: 'withdrawalId' },
  isDownload: true,
  summary: 'The document of a withdrawal that was paid, as its partner has it',
  schema: { params: ofWithdrawal, response: { 200: PdfReply } },
  problems: [404],
})

const Settled = z.object({ isNew: z.boolean() })
const line = (most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please write something.'),
      z.maxLength(most),
      z.regex(/^\P{Cc}*$/u, 'Please write it on one line.'),
    )

const payFields = {
  reference: optional(text('The bank’s reference', line(REFERENCE_LONGEST), { hint: 'The partner sees it' })),
  although: tick('Although the partner owes money back because of refunds'),
}

export const payConsoleWithdrawal = operatorEndpoint({
  ...consoleRoutes.payConsoleWithdrawal,
  ...pays,
  record: { changes: 'withdrawal paid', subject: 'withdrawalId', keeps: ['although'] },
  summary: 'Record that you have sent the money',
  asks: 'Have you sent the money? This cannot be undone.',
  done: 'The partner gets an email',
  fields: payFields,
  schema: { params: ofWithdrawal, body: bodyOf(payFields), response: { 200: Settled } },
  problems: [404, 409],
})

const refuseFields = { reason: text('Why', line(REASON_LONGEST), { hint: 'The partner sees it' }) }

export const refuseConsoleWithdrawal = operatorEndpoint({
  ...consoleRoutes.refuseConsoleWithdrawal,
  ...pays,
  record: { changes: 'withdrawal refuse', subject: 'withdrawalId' },
  summary:
    'Refuse to pay it: the money is available to the partner again, less what is owed because of refunds',
  asks: 'Refuse to pay it? This cannot be undone.',
  done: 'The partner gets an email with the reason',
  fields: refuseFields,
  schema: { params: ofWithdrawal, body: bodyOf(refuseFields), response: { 200: Settled } },
  problems: [404, 409],
})

export const releaseConsoleWithdrawal = operatorEndpoint({
  ...consoleRoutes.releaseConsoleWithdrawal,
  ...pays,
  record: { changes: 'withdrawal release', subject: 'withdrawalId' },
  summary:
    'Take it out of its file, as the bank does not pay it: it can stand in the next file, and would be paid twice',
  asks: 'Do you know that the bank has not paid it and will not?',
  done: 'It can stand in the next file under another reference, or be refused',
  schema: { params: ofWithdrawal, response: { 200: Settled } },
  problems: [404, 409],
})
