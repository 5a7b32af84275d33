import { WITHDRAWAL_STATUSES } from '@hedgerow/domain/withdrawals'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { FILE_BODY_BYTES, SentFile } from './fields.ts'
import { csvQuery, listQuery, pageOf, Sum, TextFile, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const PARTNER_SORTS = ['-transactions', 'transactions', '-crossings', 'crossings'] as const

/** A partner, by the account's number only. */
export const PartnerView = z.object({
  id: z.string(),
  promocode: z.string(),
  level: z.int(),
  percentage: z.number(),
  transactions: z.int(),
  byPromocode: z.int(),
  crossings: z.int(),
})
export type PartnerView = z.infer<typeof PartnerView>

const seesPartners = { access: 'operator', permission: 'partners.see', record: 'reads' } as const

export const listConsolePartners = operatorEndpoint({
  ...consoleRoutes.listConsolePartners,
  ...seesPartners,
  summary: 'Partners who brought somebody, the busiest first',
  schema: { querystring: listQuery(PARTNER_SORTS, {}), response: { 200: pageOf(PartnerView) } },
})

export const exportPartners = operatorEndpoint({
  ...consoleRoutes.exportPartners,
  ...seesPartners,
  isDownload: true,
  summary: 'The same as a file',
  schema: { querystring: csvQuery(PARTNER_SORTS, {}), response: {} },
})

const Balance = z.object({
  currency: z.string(),
  pendingMinor: z.int(),
  availableMinor: z.int(),
  requestedMinor: z.int(),
  paidMinor: z.int(),
  /** What refunds want back and the account does not hold. */
  owingMinor: z.int(),
})

const RingView = z.object({
  /** By the same card, or from the same network. */
  tie: z.enum(['card', 'network']),
  name: z.string(),
  partnerId: z.string(),
  promocode: z.string(),
  accounts: z.array(
    z.object({
      /** Null of an account that is deleted. */
      customerId: z.nullable(z.string()),
      isPartner: z.boolean(),
      uncredited: z.int(),
      sums: z.array(z.object({ payments: z.int(), paid: Sum, earned: Sum })),
    }),
  ),
})
export type RingView = z.infer<typeof RingView>

const ofPartner = z.object({ partnerId: Uuid })

export const getConsolePartner = operatorEndpoint({
  ...consoleRoutes.getConsolePartner,
  ...seesPartners,
  summary: 'A partner with level, balances, the newest movements and rings',
  schema: {
    params: ofPartner,
    response: {
      200: z.extend(PartnerView, {
        next: z.nullable(z.object({ level: z.int(), transactions: z.int() })),
        uncredited: z.object({ ownCard: z.int(), smallSpend: z.int() }),
        balances: z.array(Balance),
        movements: z.array(
          z.object({
            id: z.string(),
            at: Time,
            what: z.string(),
            sum: Sum,
            paymentId: z.nullable(z.string()),
            withdrawalId: z.nullable(z.string()),
          }),
        ),
        hasMore: z.boolean(),
        rings: z.array(RingView),
      }),
    },
  },
  problems: [404],
})

export const listRings = operatorEndpoint({
  ...consoleRoutes.listRings,
  ...seesPartners,
  summary:
    'Accounts that credit one partner, or are the partner’s own, and paid by one card or from one network',
  schema: { response: { 200: z.object({ rings: z.array(RingView), hasMore: z.boolean() }) } },
})

const WITHDRAWAL_SORTS = ['createdAt', '-createdAt'] as const
const withdrawalFilters = {
  state: z.optional(z.enum(WITHDRAWAL_STATUSES)),
  currency: z.optional(z.enum(['EUR', 'GBP'])),
  partnerId: z.optional(Uuid),
}

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
  endedAt: z.nullable(Time),
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** The file for the bank that it stands in, and what it is called there. */
  batch: z.nullable(z.string()),
  payoutReference: z.nullable(z.string()),
  owing: Sum,
})
export type WithdrawalView = z.infer<typeof WithdrawalView>

const seesWithdrawals = { access: 'operator', permission: 'withdrawals.see', record: 'reads' } as const
const pays = { access: 'operator', permission: 'withdrawals.pay' } as const

export const listConsoleWithdrawals = operatorEndpoint({
  ...consoleRoutes.listConsoleWithdrawals,
  ...seesWithdrawals,
  summary: 'What partners want paid, and what they were paid',
  schema: {
    querystring: listQuery(WITHDRAWAL_SORTS, withdrawalFilters),
    response: { 200: pageOf(WithdrawalView) },
  },
})

export const exportWithdrawals = operatorEndpoint({
  ...consoleRoutes.exportWithdrawals,
  ...seesWithdrawals,
  isDownload: true,
  summary: 'The same as a file, for the books: no bank account in full',
  schema: { querystring: csvQuery(WITHDRAWAL_SORTS, withdrawalFilters), response: {} },
})

const ofWithdrawal = z.object({ withdrawalId: Uuid })

export const getConsoleWithdrawal = operatorEndpoint({
  ...consoleRoutes.getConsoleWithdrawal,
  ...seesWithdrawals,
  summary: 'One withdrawal',
  schema: {
    params: ofWithdrawal,
    response: { 200: z.extend(WithdrawalView, { rings: z.int() }) },
  },
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
      z.regex(/^[^\p{Cc}]*$/u, 'Please write it on one line.'),
    )

export const payConsoleWithdrawal = operatorEndpoint({
  ...consoleRoutes.payConsoleWithdrawal,
  ...pays,
  record: { changes: 'withdrawal paid', subject: 'withdrawalId', keeps: ['although'] },
  asksAgain: true,
  summary: 'Record that the money was sent; the partner gets a mail',
  schema: {
    params: ofWithdrawal,
    body: z.object({
      /** What the bank calls the transfer; the partner sees it. */
      reference: z.optional(line(140)),
      /** Although the partner owes money back. */
      although: z._default(z.boolean(), false),
    }),
    response: { 200: Settled },
  },
  problems: [404, 409],
})

export const refuseConsoleWithdrawal = operatorEndpoint({
  ...consoleRoutes.refuseConsoleWithdrawal,
  ...pays,
  record: { changes: 'withdrawal refuse', subject: 'withdrawalId' },
  asksAgain: true,
  summary: 'Do not pay it: the money is available to the partner again, who gets a mail with the reason',
  schema: {
    params: ofWithdrawal,
    body: z.object({ reason: line(500) }),
    response: { 200: Settled },
  },
  problems: [404, 409],
})

export const releaseConsoleWithdrawal = operatorEndpoint({
  ...consoleRoutes.releaseConsoleWithdrawal,
  ...pays,
  record: { changes: 'withdrawal release', subject: 'withdrawalId' },
  asksAgain: true,
  summary: 'Take it out of its file for the bank, as the bank does not pay it',
  schema: { params: ofWithdrawal, response: { 200: Settled } },
  problems: [404, 409],
})

export const BatchView = z.object({
  id: z.string(),
  kind: z.enum(['sepa', 'csv']),
  createdAt: Time,
  /** YYYY-MM-DD */
  executionDay: z.string(),
  count: z.int(),
  sum: Sum,
  waiting: z.int(),
  paid: z.int(),
  released: z.int(),
})
export type BatchView = z.infer<typeof BatchView>

export const listBatches = operatorEndpoint({
  ...consoleRoutes.listBatches,
  ...seesWithdrawals,
  summary: 'Files that were made for the bank, the newest first',
  schema: { response: { 200: z.object({ batches: z.array(BatchView), hasMore: z.boolean() }) } },
})

const ofBatch = z.object({ batchId: z.string().check(z.regex(/^[A-Z0-9]{4,20}$/)) })

export const getBatch = operatorEndpoint({
  ...consoleRoutes.getBatch,
  ...seesWithdrawals,
  summary: 'What stands in a file for the bank',
  schema: {
    params: ofBatch,
    response: {
      200: z.object({
        id: z.string(),
        kind: z.enum(['sepa', 'csv']),
        createdAt: Time,
        executionDay: z.string(),
        payouts: z.array(
          z.object({
            reference: z.string(),
            withdrawalId: z.string(),
            partnerId: z.nullable(z.string()),
            sum: Sum,
            endsWith: z.string(),
            status: z.enum(WITHDRAWAL_STATUSES),
            releasedAt: z.nullable(Time),
            releasedBecause: z.nullable(z.string()),
          }),
        ),
      }),
    },
  },
  problems: [404],
})

/** The file itself: it holds bank accounts, and goes to the bank and nowhere else. */
const PayoutFileReply = TextFile

export const makeBatch = operatorEndpoint({
  ...consoleRoutes.makeBatch,
  ...pays,
  record: { changes: 'withdrawal export', keeps: ['currency', 'on', 'columns', 'although'] },
  asksAgain: true,
  summary: 'Put the waiting withdrawals in a file for the bank: in euros SEPA (pain.001), in pounds a list',
  schema: {
    body: z.object({
      currency: z.enum(['EUR', 'GBP']),
      /** The day on which the bank is to pay, YYYY-MM-DD; today if left out. */
      on: z.optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, 'Please enter a day.'))),
      /** Of a list: generic, paygate, coutts, or names with commas between them. */
      columns: z.optional(z.string().check(z.maxLength(500))),
      although: z._default(z.boolean(), false),
    }),
    response: {
      200: z.object({
        batchId: z.nullable(z.string()),
        count: z.int(),
        sum: Sum,
        file: z.nullable(PayoutFileReply),
        leftOut: z.array(z.object({ withdrawalId: z.string(), sum: Sum, owing: Sum, why: z.string() })),
        hasMore: z.boolean(),
      }),
    },
  },
  problems: [409],
})

export const rewriteConsoleBatch = operatorEndpoint({
  ...consoleRoutes.rewriteConsoleBatch,
  ...pays,
  record: { changes: 'withdrawal export', subject: 'batchId' },
  asksAgain: true,
  summary: 'The file of a batch again, to the byte, as long as nothing has come of it',
  schema: { params: ofBatch, response: { 200: z.object({ file: PayoutFileReply }) } },
  problems: [404, 409],
})

export const releaseBatch = operatorEndpoint({
  ...consoleRoutes.releaseBatch,
  ...pays,
  record: { changes: 'withdrawal release', subject: 'batchId' },
  asksAgain: true,
  summary: 'Take all that wait out of a batch, as the bank does not pay them',
  schema: { params: ofBatch, response: { 200: z.object({ released: z.int() }) } },
  problems: [404],
})

const AnswersFile = z.object({
  file: SentFile,
  /** Of a list, where the bank calls its columns otherwise: reference=Title,amount=Title. */
  columns: z.optional(z.string().check(z.maxLength(500))),
  decimal: z.optional(z.enum(['comma', 'point'])),
  /** Of a list without statuses: each of our rows was paid. */
  areAllPaid: z._default(z.boolean(), false),
})

const ANSWER_VERDICTS = ['pay', 'release', 'known', 'pending', 'unclear', 'unknown', 'contradicts'] as const

const AnswersReply = z.object({
  answers: z.array(
    z.object({
      at: z.string(),
      reference: z.string(),
      withdrawalId: z.nullable(z.string()),
      sum: z.nullable(Sum),
      verdict: z.enum(ANSWER_VERDICTS),
      why: z.nullable(z.string()),
      isDone: z.boolean(),
    }),
  ),
  /** Rows that are about none of ours. */
  others: z.int(),
})

const readsAnswers = { ...pays, bodyBytes: FILE_BODY_BYTES, asksAgain: true } as const

export const previewBankAnswers = operatorEndpoint({
  ...consoleRoutes.previewBankAnswers,
  ...readsAnswers,
  record: { opens: 'withdrawal import' },
  summary: 'What a bank’s file says of our transfers: nothing is recorded yet',
  schema: { body: AnswersFile, response: { 200: AnswersReply } },
})

export const importBankAnswers = operatorEndpoint({
  ...consoleRoutes.importBankAnswers,
  ...readsAnswers,
  record: { changes: 'withdrawal import' },
  summary: 'Record what the bank has paid and what not. The same file again does nothing',
  schema: { body: AnswersFile, response: { 200: AnswersReply } },
})
