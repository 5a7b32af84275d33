import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { ListedConnection } from './connections.ts'
import { csvQuery, listQuery, pageOf, Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { ListedOrder } from './orders.ts'
import { ListedPayment } from './payments.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-createdAt', 'createdAt'] as const
const yesNo = z.optional(z.enum(['yes', 'no']))

const filters = {
  confirmed: yesNo,
  secondStep: yesNo,
  paid: yesNo,
  country: z.optional(z.string().check(z.maxLength(60))),
  since: z.optional(z.iso.datetime()),
  until: z.optional(z.iso.datetime()),
}

/** Names and addresses as far as one knows them already: 'a…@example.org'. */
export const ListedCustomer = z.object({
  id: z.string(),
  createdAt: Time,
  email: z.string(),
  name: z.string(),
  isConfirmed: z.boolean(),
  hasSecondStep: z.boolean(),
  country: z.string(),
  payments: z.int(),
  connections: z.int(),
})
export type ListedCustomer = z.infer<typeof ListedCustomer>

const sees = { access: 'operator', permission: 'customers.see', record: 'reads' } as const

export const listCustomers = operatorEndpoint({
  ...consoleRoutes.listCustomers,
  ...sees,
  summary: 'Customers’ accounts, with names and addresses masked',
  schema: { querystring: listQuery(SORTS, filters), response: { 200: pageOf(ListedCustomer) } },
})

export const exportCustomers = operatorEndpoint({
  ...consoleRoutes.exportCustomers,
  ...sees,
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, filters), response: {} },
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
  partner: z.object({
    level: z.int(),
    percentage: z.number(),
    transactions: z.int(),
    balances: z.array(
      z.object({ currency: z.string(), available: Sum, pending: Sum, requested: Sum, paid: Sum, owing: Sum }),
    ),
  }),
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
  record: 'reads',
  summary: 'An account and what belongs to it, with names and addresses masked',
  schema: { params: ofCustomer, response: { 200: CustomerPage } },
  problems: [404],
})

export const openCustomer = operatorEndpoint({
  ...consoleRoutes.openCustomer,
  access: 'operator',
  permission: 'customers.open',
  record: { opens: 'customer show', subject: 'customerId' },
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

export const resendConsoleConfirmation = operatorEndpoint({
  ...consoleRoutes.resendConsoleConfirmation,
  access: 'operator',
  permission: 'customers.help',
  record: { changes: 'customer resend-confirmation', subject: 'customerId' },
  summary: 'Send a new account its confirmation mail again',
  schema: { params: ofCustomer, response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const logOutCustomer = operatorEndpoint({
  ...consoleRoutes.logOutCustomer,
  access: 'operator',
  permission: 'customers.help',
  record: { changes: 'customer log-out', subject: 'customerId', keeps: ['endsPassword'] },
  asksAgain: true,
  summary: 'End every session of an account and every link to its connections, and mail its owner',
  schema: {
    params: ofCustomer,
    body: z.object({ endsPassword: z._default(z.boolean(), false) }),
    response: { 200: z.object({ sessions: z.int() }) },
  },
  problems: [404],
})

export const resetSecondStep = operatorEndpoint({
  ...consoleRoutes.resetSecondStep,
  access: 'operator',
  permission: 'customers.reset-second-step',
  record: { changes: 'customer reset-second-step', subject: 'customerId' },
  asksAgain: true,
  summary:
    'Reset an account’s second step: the first operator asks, and another one agrees within 24 hours. Then passkeys, app and codes are forgotten, all sessions end, and the owner gets a mail',
  schema: { params: ofCustomer, response: { 200: z.object({ outcome: z.enum(['asked', 'reset']) }) } },
  problems: [404, 409],
})

export const withdrawReset = operatorEndpoint({
  ...consoleRoutes.withdrawReset,
  access: 'operator',
  permission: 'customers.reset-second-step',
  record: { changes: 'customer withdraw-reset', subject: 'customerId' },
  summary: 'The second step stays as it is',
  schema: { params: ofCustomer, response: { 200: z.object({}) } },
})

export const exportCustomer = operatorEndpoint({
  ...consoleRoutes.exportCustomer,
  access: 'operator',
  permission: 'customers.export',
  record: { opens: 'customer export', subject: 'customerId' },
  asksAgain: true,
  isDownload: true,
  summary:
    'All data held about a customer, as they can download it, but without private keys and bank details in full',
  schema: { params: ofCustomer, response: {} },
  problems: [404],
})

export const eraseCustomer = operatorEndpoint({
  ...consoleRoutes.eraseCustomer,
  access: 'operator',
  permission: 'customers.erase',
  record: { changes: 'customer erase', subject: 'customerId' },
  asksAgain: true,
  summary: 'Delete an account for good, as the customer can',
  schema: { params: ofCustomer, response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const NOTE_LENGTH = 2_000

export const addCustomerNote = operatorEndpoint({
  ...consoleRoutes.addCustomerNote,
  access: 'operator',
  permission: 'customers.help',
  record: { changes: 'customer note', subject: 'customerId' },
  summary: 'A note about a customer, for operators. The customer can read it in the data they download',
  schema: {
    params: ofCustomer,
    body: z.object({
      text: z
        .string()
        .check(
          z.trim(),
          z.minLength(1, 'Please write something.'),
          z.maxLength(NOTE_LENGTH, `A note has ${NOTE_LENGTH} characters at most.`),
        ),
    }),
    response: { 201: z.object({}) },
  },
  problems: [404],
})

export const removeCustomerNote = operatorEndpoint({
  ...consoleRoutes.removeCustomerNote,
  access: 'operator',
  permission: 'customers.help',
  record: { changes: 'customer note remove', subject: 'customerId', keeps: ['noteId'] },
  summary: 'Take a note away: one’s own, or anybody’s for those who may erase',
  schema: { params: z.object({ customerId: Uuid, noteId: Uuid }), response: { 200: z.object({}) } },
  problems: [404],
})
