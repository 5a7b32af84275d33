import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { queryTick, shapeOf } from './fields.ts'
import { listQuery, pageOf, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const StatementView = z.object({
  id: z.string(),
  isOpen: z.boolean(),
  receivedAt: Time,
  closedAt: z.nullable(Time),
  /** By when what was not used has to be sent back, while it is open. */
  refundDueBy: z.nullable(Time),
  isAcknowledged: z.boolean(),
  /** Masked: 'A… L…', 'a…@example.org'. */
  name: z.string(),
  email: z.string(),
})

const statementColumns = columnsOf<z.infer<typeof StatementView>>([
  { name: 'id', title: 'Statement', kind: 'id' },
  { name: 'isOpen', title: 'Open', kind: 'yes' },
  { name: 'receivedAt', title: 'Received', kind: 'time' },
  { name: 'closedAt', title: 'Closed', kind: 'time' },
  { name: 'refundDueBy', title: 'Refund by', kind: 'time' },
  { name: 'isAcknowledged', title: 'Acknowledged', kind: 'yes' },
  { name: 'name', title: 'Name', kind: 'text' },
  { name: 'email', title: 'Email', kind: 'text' },
])

const ListedStatement = z.extend(StatementView, {
  /** How many more of the same sender are open. */
  others: z.int(),
})

const listedColumns = columnsOf<z.infer<typeof ListedStatement>>([
  ...statementColumns,
  { name: 'others', title: 'More of this sender', kind: 'word' },
])

const statementFilters = { all: queryTick('Closed ones too') }

const seesStatements = { access: 'operator', permission: 'payments.see' } as const

export const listStatements = operatorEndpoint({
  ...consoleRoutes.listStatements,
  ...seesStatements,
  consequence: 'looks',
  record: 'reads',
  command: 'cancellation list',
  summary:
    'Cancellations that were sent without logging in, the newest first: of those that are open, one of each sender',
  fields: statementFilters,
  columns: listedColumns,
  schema: {
    querystring: listQuery(['-receivedAt', 'receivedAt'], shapeOf(statementFilters)),
    response: { 200: pageOf(ListedStatement) },
  },
})

const ofStatement = z.object({ statementId: Uuid })

export const openStatement = operatorEndpoint({
  ...consoleRoutes.openStatement,
  access: 'operator',
  permission: 'customers.open',
  consequence: 'opens',
  record: { opens: 'cancellation show', subject: 'statementId' },
  summary: 'A statement, word for word, and the accounts that its address may belong to',
  schema: {
    params: ofStatement,
    response: {
      200: z.extend(StatementView, {
        contract: z.string(),
        message: z.string(),
        customerId: z.nullable(z.string()),
      }),
    },
  },
  problems: [404],
})

export const closeStatement = operatorEndpoint({
  ...consoleRoutes.closeStatement,
  access: 'operator',
  permission: 'payments.cancel',
  consequence: 'settles',
  record: { changes: 'cancellation close', subject: 'statementId' },
  summary: 'Close a statement that needs nothing more. Nobody gets a mail',
  columns: statementColumns,
  schema: {
    params: ofStatement,
    response: { 200: z.object({ isNew: z.boolean(), statement: StatementView }) },
  },
  problems: [404],
})
