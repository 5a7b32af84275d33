import { ORDER_STATUSES } from '@hedgerow/domain/order-status'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { choiceOf, moment, optional, shapeOf, text } from './fields.ts'
import { csvQuery, listQuery, pageOf, Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { ListedPayment } from './payments.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-createdAt', 'createdAt'] as const

export const ListedOrder = z.object({
  id: z.string(),
  createdAt: Time,
  status: z.enum(ORDER_STATUSES),
  what: z.string(),
  total: Sum,
  promocode: z.nullable(z.string()),
  payments: z.int(),
  payableUntil: Time,
  customerId: z.nullable(z.string()),
  /** Of the payment that has its invoice, once there is one. */
  paymentId: z.nullable(z.string()),
  charged: z.nullable(Sum),
  invoice: z.nullable(z.string()),
  /** The gateway’s, of the sale. */
  operationId: z.nullable(z.string()),
})
export type ListedOrder = z.infer<typeof ListedOrder>

const orderColumns = columnsOf<ListedOrder>([
  { name: 'id', title: 'Order', kind: 'id' },
  { name: 'createdAt', title: 'Created', kind: 'time', sort: 'createdAt' },
  { name: 'status', title: 'Status', kind: 'word' },
  { name: 'what', title: 'For', kind: 'text' },
  { name: 'total', title: 'Total', kind: 'sum' },
  { name: 'promocode', title: 'Promocode', kind: 'word', isExtra: true },
  { name: 'payments', title: 'Attempts', kind: 'word' },
  { name: 'payableUntil', title: 'Payable until', kind: 'time', isExtra: true },
  { name: 'customerId', title: 'Customer', kind: 'id', isExtra: true },
  { name: 'paymentId', title: 'Payment', kind: 'id', isExtra: true },
  { name: 'charged', title: 'Charged', kind: 'sum', isExtra: true },
  { name: 'invoice', title: 'Invoice', kind: 'word', isExtra: true },
  { name: 'operationId', title: 'Operation', kind: 'id', isExtra: true },
])

const orderFilters = {
  status: optional(choiceOf('Status', ORDER_STATUSES)),
  since: optional(moment('From')),
  until: optional(moment('Before')),
  customerId: optional(text('Customer', Uuid)),
}

const reads = {
  access: 'operator',
  permission: 'payments.see',
  consequence: 'looks',
  record: 'reads',
} as const

export const listConsoleOrders = operatorEndpoint({
  ...consoleRoutes.listConsoleOrders,
  ...reads,
  command: 'order list',
  summary: 'Orders, the newest first',
  fields: orderFilters,
  columns: orderColumns,
  schema: { querystring: listQuery(SORTS, shapeOf(orderFilters)), response: { 200: pageOf(ListedOrder) } },
})

export const exportOrders = operatorEndpoint({
  ...consoleRoutes.exportOrders,
  ...reads,
  command: 'order list',
  columns: orderColumns,
  // One by one they are for anyone who helps a customer; all at once they are what the shop earns.
  permission: 'revenue.see',
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, shapeOf(orderFilters)), response: {} },
})

export const getConsoleOrder = operatorEndpoint({
  ...consoleRoutes.getConsoleOrder,
  ...reads,
  command: 'order show',
  summary: 'An order with every attempt to pay it',
  schema: {
    params: z.object({ orderId: Uuid }),
    response: {
      200: z.extend(ListedOrder, {
        planId: z.nullable(z.string()),
        price: Sum,
        features: z.array(z.string()),
        /** Null: none was chosen, and none has been yet. */
        location: z.nullable(
          z.object({ name: z.string(), isChosen: z.boolean(), insteadOf: z.nullable(z.string()) }),
        ),
        attempts: z.array(ListedPayment),
      }),
    },
  },
  problems: [404],
})
