import { WITHDRAWAL_STATUSES } from '@hedgerow/domain/withdrawals'
import * as z from 'zod/mini'
import { columnsOf } from './columns.ts'
import { bodyOf, choice, choiceOf, day, FILE_BODY_BYTES, file, optional, text, tick } from './fields.ts'
import { csvQuery, listQuery, pageOf, Sum, TextFile, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const BATCH_KINDS = ['sepa', 'csv'] as const

export const BatchView = z.object({
  id: z.string(),
  kind: z.enum(BATCH_KINDS),
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

const batchColumns = columnsOf<BatchView>([
  { name: 'id', title: 'File', kind: 'word' },
  { name: 'kind', title: 'Kind', kind: 'word', isExtra: true },
  { name: 'createdAt', title: 'Created', kind: 'time', sort: 'createdAt' },
  { name: 'executionDay', title: 'Pay on', kind: 'word' },
  { name: 'count', title: 'Withdrawals', kind: 'word' },
  { name: 'sum', title: 'Amount', kind: 'sum' },
  { name: 'waiting', title: 'Waiting', kind: 'word' },
  { name: 'paid', title: 'Paid', kind: 'word' },
  { name: 'released', title: 'Removed', kind: 'word' },
])

const seesBatches = {
  access: 'operator',
  permission: 'withdrawals.see',
  consequence: 'looks',
  record: 'reads',
} as const
const pays = { access: 'operator', permission: 'withdrawals.pay', consequence: 'money' } as const
const BATCH_SORTS = ['-createdAt', 'createdAt'] as const

export const listBatches = operatorEndpoint({
  ...consoleRoutes.listBatches,
  ...seesBatches,
  command: 'withdrawal batches',
  summary: 'Files that were made for the bank, the newest first',
  columns: batchColumns,
  schema: { querystring: listQuery(BATCH_SORTS, {}), response: { 200: pageOf(BatchView) } },
})

export const exportBatches = operatorEndpoint({
  ...consoleRoutes.exportBatches,
  ...seesBatches,
  command: 'withdrawal batches',
  isDownload: true,
  summary: 'The same as a file',
  schema: { querystring: csvQuery(BATCH_SORTS, {}), response: {} },
})

const ofBatch = z.object({
  batchId: z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9]{4,20}$/)),
})

export const getBatch = operatorEndpoint({
  ...consoleRoutes.getBatch,
  ...seesBatches,
  command: 'withdrawal batch show',
  summary: 'What stands in a file for the bank',
  schema: {
    params: ofBatch,
    response: {
      200: z.object({
        id: z.string(),
        kind: z.enum(BATCH_KINDS),
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
            recalledAt: z.nullable(Time),
            releasedAt: z.nullable(Time),
            releasedBecause: z.nullable(z.string()),
          }),
        ),
      }),
    },
  },
  problems: [404],
})

const makeFields = {
  currency: choice('Currency', [
    ['EUR', 'Euros: SEPA credit transfers (pain.001)'],
    ['GBP', 'Pounds: a list (CSV)'],
  ]),
  on: optional(day('Day on which the bank is to pay', { hint: 'Today if left empty' })),
  columns: optional(
    text('Columns of the list', z.string().check(z.maxLength(500)), {
      hint: 'Of pounds: generic, paygate, coutts, or names with commas between them',
    }),
  ),
  although: tick('Those too whose partners owe money back because of refunds'),
}

/** It holds bank accounts. */
const GIVE_TO_BANK = 'It holds bank accounts: give it to your bank, then delete it'

export const makeBatch = operatorEndpoint({
  ...consoleRoutes.makeBatch,
  ...pays,
  record: { changes: 'withdrawal export', keeps: ['currency', 'on', 'columns', 'although'] },
  summary: 'Put all waiting withdrawals of a currency in a file for the bank. Each is in one file only',
  done: GIVE_TO_BANK,
  fields: makeFields,
  schema: {
    body: bodyOf(makeFields),
    response: {
      200: z.object({
        batchId: z.nullable(z.string()),
        /** YYYY-MM-DD */
        executionDay: z.string(),
        count: z.int(),
        sum: Sum,
        file: z.nullable(TextFile),
        leftOut: z.array(z.object({ withdrawalId: z.string(), sum: Sum, owing: Sum, why: z.string() })),
        /** More wait than one file holds. */
        hasMore: z.boolean(),
      }),
    },
  },
  problems: [409],
})

export const rewriteConsoleBatch = operatorEndpoint({
  ...consoleRoutes.rewriteConsoleBatch,
  ...pays,
  record: { changes: 'withdrawal batch file', subject: 'batchId' },
  summary: 'The file of a batch again, to the byte, as long as nothing has come of it',
  done: GIVE_TO_BANK,
  schema: { params: ofBatch, response: { 200: z.object({ file: TextFile }) } },
  problems: [404, 409],
})

export const releaseBatch = operatorEndpoint({
  ...consoleRoutes.releaseBatch,
  ...pays,
  record: { changes: 'withdrawal batch release', subject: 'batchId' },
  summary:
    'Take all that wait out of a file, as the bank does not pay them: they can stand in the next file, and would be paid twice',
  asks: 'Do you know that the bank has not paid them and will not?',
  schema: { params: ofBatch, response: { 200: z.object({ released: z.int() }) } },
  problems: [404],
})

const answersFields = {
  file: file('The bank’s file', { hint: 'pain.002, camt.053, camt.054 or a list (CSV)' }),
  columns: optional(
    text('Columns of a list', z.string().check(z.maxLength(500)), {
      hint: 'Where the bank calls them otherwise: reference=Title,amount=Title,currency=,status=,bank_reference=',
    }),
  ),
  decimal: optional(choiceOf('Sums are written with a', ['comma', 'point'])),
  areAllPaid: tick('A list without statuses: each of our transfers was paid'),
}

export const ANSWER_VERDICTS = [
  'pay',
  'release',
  'known',
  'pending',
  'unclear',
  'unknown',
  'contradicts',
] as const

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
export type AnswersReply = z.infer<typeof AnswersReply>

const readsAnswers = {
  ...pays,
  bodyBytes: FILE_BODY_BYTES,
  fields: answersFields,
  schema: { body: bodyOf(answersFields), response: { 200: AnswersReply } },
} as const

export const previewBankAnswers = operatorEndpoint({
  ...consoleRoutes.previewBankAnswers,
  ...readsAnswers,
  consequence: 'exports',
  record: { opens: 'withdrawal import' },
  summary: 'What a bank’s file says of our transfers: nothing is recorded yet',
})

export const importBankAnswers = operatorEndpoint({
  ...consoleRoutes.importBankAnswers,
  ...readsAnswers,
  record: { changes: 'withdrawal import' },
  summary: 'Record what the bank has paid and what not. The same file again does nothing',
  asks: 'Record it? Each partner who was paid gets an email. What is paid cannot be undone.',
})
