import { REFUND_STATUSES } from '@hedgerow/domain/refund-status'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { ListedConnection } from './connections.ts'
import { bodyOf, choice, moment, optional, shapeOf, text, tick, words } from './fields.ts'
import { csvQuery, listQuery, pageOf, Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { ListedOrder } from './orders.ts'
import { ListedPayment } from './payments.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-createdAt', 'createdAt'] as const
const yesNo = (label: string) =>
  optional(
    choice(label, [
      ['yes', 'Yes'],
      ['no', 'No'],
    ]),
  )

const filters = {
  confirmed: yesNo('Confirmed'),
  paid: yesNo('Has paid'),
  secondStep: yesNo('Second step'),
  mail: optional(choice('Mail', [['returned', 'Does not get through']])),
  country: optional(text('Country', z.string().check(z.maxLength(60)))),
  since: optional(moment('From')),
  until: optional(moment('Before')),
}

/** Names and addresses as far as one knows them already: 'a…@example.org'. */
export const ListedCustomer = z.object({
  id: z.string(),
  createdAt: Time,
  email: z.string(),
  name: z.string(),
  isConfirmed: z.boolean(),
  hasSecondStep: z.boolean(),
  /** How mails do not get through to the address; null as far as they do. */
  mailReturned: z.nullable(z.enum(['refused', 'bounced', 'complained'])),
  country: z.string(),
  payments: z.int(),
  connections: z.int(),
})
export type ListedCustomer = z.infer<typeof ListedCustomer>

const sees = {
  access: 'operator',
  permission: 'customers.see',
  consequence: 'looks',
  record: 'reads',
} as const
const lists = {
  ...sees,
  command: 'customer list',
  columns: columnsOf<ListedCustomer>([
    { name: 'email', title: 'Email', kind: 'text' },
    { name: 'id', title: 'Customer', kind: 'id' },
    { name: 'name', title: 'Name', kind: 'text' },
    { name: 'createdAt', title: 'Since', kind: 'time', sort: 'createdAt' },
    { name: 'payments', title: 'Payments', kind: 'word' },
    { name: 'connections', title: 'Connections', kind: 'word' },
    { name: 'isConfirmed', title: 'Confirmed', kind: 'yes' },
    { name: 'country', title: 'Country', kind: 'text', isExtra: true },
    { name: 'hasSecondStep', title: 'Second step', kind: 'yes', isExtra: true },
    { name: 'mailReturned', title: 'Mail', kind: 'word', isExtra: true },
  ]),
} as const

export const listCustomers = operatorEndpoint({
  ...consoleRoutes.listCustomers,
  ...lists,
  summary: 'Customers’ accounts, with names and addresses masked',
  fields: filters,
  schema: { querystring: listQuery(SORTS, shapeOf(filters)), response: { 200: pageOf(ListedCustomer) } },
})

export const exportCustomers = operatorEndpoint({
  ...consoleRoutes.exportCustomers,
  ...lists,
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, shapeOf(filters)), response: {} },
})

const FoundCustomer = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  createdAt: Time,
  isConfirmed: z.boolean(),
})
export type FoundCustomer = z.infer<typeof FoundCustomer>

const found = {
  words: text('Words', z.string().check(z.trim(), z.minLength(2), z.maxLength(200)), {
    hint: 'All or part of the email address or name, a promocode, the id of a payment, order or connection, or the last four digits of a card',
  }),
}

export const findCustomers = operatorEndpoint({
  ...consoleRoutes.findCustomers,
  access: 'operator',
  permission: 'customers.open',
  consequence: 'opens',
  record: { opens: 'customer find', masks: ['words'] },
  summary: 'The newest accounts that a customer’s words may mean, with whole names and addresses',
  fields: found,
  columns: columnsOf<FoundCustomer>([
    { name: 'id', title: 'Customer', kind: 'id' },
    { name: 'email', title: 'Email', kind: 'text' },
    { name: 'name', title: 'Name', kind: 'text' },
    { name: 'createdAt', title: 'Since', kind: 'time' },
    { name: 'isConfirmed', title: 'Confirmed', kind: 'yes' },
  ]),
  schema: { querystring: bodyOf(found), response: { 200: z.array(FoundCustomer) } },
})

const Note = z.object({
  id: z.string(),
  at: Time,
  by: z.string(),
  /** '…' for those who may not open customers. */
  text: z.string(),
  /** Whether the caller may take it away. */
  isMine: z.boolean(),
})

export const CustomerPage = z.extend(ListedCustomer, {
  promocode: z.string(),
  cameByReferral: z.boolean(),
  orders: z.array(ListedOrder),
  recentPayments: z.array(ListedPayment),
  recentConnections: z.array(ListedConnection),
  conversations: z.array(
    z.object({ id: z.string(), kind: z.string(), state: z.string(), lastMessageAt: Time }),
  ),
  partner: z.nullable(
    z.object({
      level: z.int(),
      percentage: z.number(),
      transactions: z.int(),
      balances: z.array(
        z.object({
          currency: z.string(),
          available: Sum,
          pending: Sum,
          requested: Sum,
          paid: Sum,
          owing: Sum,
        }),
      ),
    }),
  ),
  security: z.object({
    secondStepSince: z.nullable(Time),
    /** Its owner has said that it is lost. */
    secondStepEndsAt: z.nullable(Time),
    passkeys: z.int(),
    hasApp: z.boolean(),
    sessions: z.int(),
    events: z.array(
      z.object({ at: Time, what: z.string(), browser: z.nullable(z.string()), times: z.int() }),
    ),
  }),
  /** Of the payments above, the newest first. */
  refunds: z.array(
    z.object({
      paymentId: z.string(),
      sum: Sum,
      status: z.enum(REFUND_STATUSES),
      at: Time,
      endedAt: z.nullable(Time),
    }),
  ),
  /** What operators did about the account and what is above, the newest first; for those who help customers or see the record. */
  acts: z.array(z.object({ at: Time, by: z.string(), what: z.string() })),
  notes: z.array(Note),
  /** Somebody has asked to reset the second step: another operator has to agree. */
  resetAsked: z.nullable(z.object({ by: z.string(), at: Time, isMine: z.boolean() })),
})
export type CustomerPage = z.infer<typeof CustomerPage>

const ofCustomer = z.object({ customerId: Uuid })

export const getCustomer = operatorEndpoint({
  ...consoleRoutes.getCustomer,
  access: 'operator',
  permission: 'customers.see',
  consequence: 'looks',
  record: 'reads',
  command: 'customer show',
  summary: 'An account and what belongs to it, with names and addresses masked',
  schema: { params: ofCustomer, response: { 200: CustomerPage } },
  problems: [404],
})

export const openCustomer = operatorEndpoint({
  ...consoleRoutes.openCustomer,
  access: 'operator',
  permission: 'customers.open',
  consequence: 'opens',
  record: { opens: 'customer open', subject: 'customerId' },
  summary: 'Who it is: name, address, telephone. The look is recorded',
  schema: {
    params: ofCustomer,
    response: {
      200: z.object({
        email: z.string(),
        name: z.string(),
        firstName: z.string(),
        lastName: z.string(),
        phone: z.string(),
        address: z.array(z.string()),
      }),
    },
  },
  problems: [404],
})

export const CustomerActivity = z.object({
  secondStepAt: z.nullable(Time),
  secondStepEndsAt: z.nullable(Time),
  authenticatorAppAt: z.nullable(Time),
  recoveryCodes: z.int(),
  passkeys: z.array(
    z.object({ name: z.string(), isSynced: z.boolean(), createdAt: Time, lastUsedAt: z.nullable(Time) }),
  ),
  sessions: z.array(
    z.object({
      browser: z.nullable(z.string()),
      network: z.nullable(z.string()),
      createdAt: Time,
      lastUsedAt: Time,
      expiresAt: Time,
    }),
  ),
  /** The newest first. */
  events: z.array(
    z.object({
      lastAt: Time,
      what: z.string(),
      times: z.int(),
      browser: z.nullable(z.string()),
      network: z.nullable(z.string()),
      at: Time,
    }),
  ),
  hasMore: z.boolean(),
})
export type CustomerActivity = z.infer<typeof CustomerActivity>

export const getCustomerActivity = operatorEndpoint({
  ...consoleRoutes.getCustomerActivity,
  access: 'operator',
  permission: 'customers.open',
  consequence: 'opens',
  record: { opens: 'customer activity', subject: 'customerId' },
  summary:
    'How an account is guarded, where it is logged in, and what happened to it in the last 90 days. No secret is shown',
  schema: { params: ofCustomer, response: { 200: CustomerActivity } },
  problems: [404],
})

export const resendConsoleConfirmation = operatorEndpoint({
  ...consoleRoutes.resendConsoleConfirmation,
  access: 'operator',
  permission: 'customers.help',
  consequence: 'writes',
  record: { changes: 'customer resend-confirmation', subject: 'customerId' },
  summary: 'Send a new account its confirmation mail again',
  done: 'The email is on its way. Its link works for 24 hours',
  schema: { params: ofCustomer, response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const letCustomerBuy = operatorEndpoint({
  ...consoleRoutes.letCustomerBuy,
  access: 'operator',
  permission: 'customers.help',
  consequence: 'writes',
  record: { changes: 'customer let-buy', subject: 'customerId' },
  summary:
    'Let a customer buy again at once, though they, or others with their card or network, have cancelled many purchases',
  done: 'What was cancelled no longer counts. The customer can buy again',
  schema: { params: ofCustomer, response: { 200: z.object({}) } },
  problems: [404],
})

const logOutFields = {
  newPassword: tick('The password ends, too: a new one has to be chosen by mail'),
  withoutSecondStep: tick('The second step ends, too, and all passkeys: for a thief’s own', {
    hint: 'Only in the tool. In the console it takes two operators',
  }),
}

export const logOutCustomer = operatorEndpoint({
  ...consoleRoutes.logOutCustomer,
  access: 'operator',
  permission: 'customers.help',
  consequence: 'access',
  record: { changes: 'customer log-out', subject: 'customerId', keeps: ['newPassword', 'withoutSecondStep'] },
  summary:
    'End every session of an account, every log-in under way and every link to its connections, and mail its owner',
  asks: 'End every session of this account?',
  fields: logOutFields,
  done: 'Ended. The owner gets a mail',
  schema: {
    params: ofCustomer,
    body: bodyOf(logOutFields),
    response: { 200: z.object({ sessions: z.int() }) },
  },
  problems: [404, 409],
})

export const resetSecondStep = operatorEndpoint({
  ...consoleRoutes.resetSecondStep,
  access: 'operator',
  permission: 'customers.reset-second-step',
  consequence: 'access',
  record: { changes: 'customer reset-second-step', subject: 'customerId' },
  needsOperator: true,
  summary:
    'Reset an account’s second step: the first operator asks, and another one agrees within 24 hours. Then passkeys, app and codes are forgotten, all sessions end, and the owner gets a mail',
  schema: { params: ofCustomer, response: { 200: z.object({ outcome: z.enum(['asked', 'reset']) }) } },
  problems: [404, 409],
})

export const withdrawReset = operatorEndpoint({
  ...consoleRoutes.withdrawReset,
  access: 'operator',
  permission: 'customers.reset-second-step',
  consequence: 'settles',
  record: { changes: 'customer withdraw-reset', subject: 'customerId' },
  summary: 'Take back that a reset was asked for: the second step stays as it is',
  done: 'The second step stays as it is',
  schema: { params: ofCustomer, response: { 200: z.object({}) } },
})

export const exportCustomer = operatorEndpoint({
  ...consoleRoutes.exportCustomer,
  access: 'operator',
  permission: 'customers.export',
  consequence: 'exports',
  record: { opens: 'customer export', subject: 'customerId' },
  isDownload: true,
  summary:
    'All data held about a customer, as they can download it. From the console without private keys and bank details in full',
  done: 'It is about a person: send it securely, then delete it',
  schema: { params: ofCustomer, response: {} },
  problems: [404],
})

export const eraseCustomer = operatorEndpoint({
  ...consoleRoutes.eraseCustomer,
  access: 'operator',
  permission: 'customers.erase',
  consequence: 'customers',
  record: { changes: 'customer erase', subject: 'customerId' },
  summary: 'Delete an account for good, as the customer can. Refused while a payment is under way',
  asks: 'Erase this account for good? Its connections end at once. Invoices are kept for as long as the law requires. This cannot be undone.',
  done: 'The account is erased. The customer gets a last mail',
  schema: { params: ofCustomer, response: { 200: z.object({}) } },
  problems: [404, 409],
})

const noteFields = {
  text: {
    ...words('Note', 1, 2_000),
    schema: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Please write something.'),
        z.maxLength(2_000, 'A note has 2000 characters at most.'),
      ),
  },
}

export const addCustomerNote = operatorEndpoint({
  ...consoleRoutes.addCustomerNote,
  access: 'operator',
  permission: 'customers.help',
  consequence: 'stays',
  record: { changes: 'customer note', subject: 'customerId' },
  command: 'customer note add',
  needsOperator: true,
  summary:
    'A note about a customer, for operators. The customer can read it in the data they download: write what you would say to them',
  fields: noteFields,
  done: 'Saved',
  schema: {
    params: ofCustomer,
    body: bodyOf(noteFields),
    response: { 201: z.object({}) },
  },
  problems: [404],
})

export const removeCustomerNote = operatorEndpoint({
  ...consoleRoutes.removeCustomerNote,
  access: 'operator',
  permission: 'customers.help',
  consequence: 'settles',
  record: { changes: 'customer note remove', subject: 'customerId', keeps: ['noteId'] },
  summary: 'Remove a note: your own, or anyone’s if you may erase accounts',
  done: 'Removed',
  schema: { params: z.object({ customerId: Uuid, noteId: Uuid }), response: { 200: z.object({}) } },
  problems: [404],
})
