import { DAY_MS, formatDate, formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { formatMoney } from '@hedgerow/domain/money'
import { describeOrder } from '@hedgerow/domain/order-description'
import { ORDER_STATUSES, type OrderStatus } from '@hedgerow/domain/order-status'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { labelsOf } from '@hedgerow/domain/pricing'
import { type Command, InvalidArgumentError } from 'commander'
import { getOrderReport, type OrderReport, searchOrders } from '#desk/backoffice/operate-orders.ts'
import type { OrderFacts } from '#desk/backoffice/order-facts.queries.ts'
import { discountOf, presentOrder, presentOrderReport } from '#desk/presentation/present-order.ts'
import { discountLines } from '#desk/presentation/present-payment.ts'
import { opens, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount, readDays } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

const LISTED = 200
const DAYS = 7

const readStatus = (text: string): OrderStatus => {
  const status = ORDER_STATUSES.find((one) => one.toLowerCase() === text.toLowerCase())
  if (!status) throw new InvalidArgumentError(`Expected one of: ${ORDER_STATUSES.join(', ')}.`)
  return status
}

export const ORDER_HEADS = ['order', 'created', 'status', 'for', 'total'] as const

export const orderRow = (row: OrderFacts): string[] => [
  row.id,
  formatDate(row.created_at),
  row.status,
  describeOrder(row),
  formatMoney(row.total_minor, row.currency),
]

type Search = { status?: OrderStatus; email?: string; days: number; limit: number; json?: true }

const list = ({ status, email, days, limit, json }: Search) =>
  withDatabase(async (db) => {
    const since = new Date(Date.now() - days * DAY_MS)
    const found = await searchOrders({ db }, { since, status, email }, limit + 1)
    if (!found) throw new Refusal('No account has this email address.')
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ orders: rows.map(presentOrder), hasMore })
    if (rows.length === 0) return say('No orders found.')
    sayTable(ORDER_HEADS, rows.map(orderRow))
    if (hasMore)
      say(
        `There are more than these ${limit}. Narrow the search by --days, --status or --email, or raise --limit.`,
      )
  })

const locationText = ({ location }: OrderFacts): string => {
  if (!location) return 'not chosen; the node with the most room'
  const { name, is_chosen, instead_of } = location
  if (instead_of) return `${name}; ${instead_of} was chosen but had no room`
  return `${name}, ${is_chosen ? 'as chosen' : 'chosen by the shop'}`
}

const payableOf = ({ status, expires_at, is_late }: OrderFacts): string => {
  if (status === 'Completed') return 'already paid'
  return `${is_late ? 'no longer; it was until' : 'until'} ${formatDateTime(expires_at)}`
}

const sayReport = ({ order, payments, email }: OrderReport): void =>
  sayFacts([
    ['Order', order.id],
    ['Status', order.status],
    ['For', describeOrder(order, labelsOf(order.options))],
    ['Total', formatMoney(order.total_minor, order.currency)],
    ...discountLines(discountOf(order)),
    ['Location', locationText(order)],
    ['Created', formatDateTime(order.created_at)],
    ['Payable', payableOf(order)],
    ['Customer', email ?? 'erased account'],
    ...(payments.length === 0 ? [['Payments', 'none'] as const] : []),
    ...payments.map(
      (row) =>
        [
          'Payment',
          `${row.id}, ${formatDateTime(row.created_at)}: ${row.status}, ${METHOD_NAMES[row.method]}, ${formatCharged(row.charged_minor, row.charged_currency)}`,
        ] as const,
    ),
  ])

const show = (id: string, { json }: { json?: true }) =>
  withDatabase(async (db) => {
    const report = await getOrderReport({ db }, id)
    if (!report) throw new Refusal(`There is no order ${id}.`)
    return json ? sayJson(presentOrderReport(report)) : sayReport(report)
  })

export const addOrder = (program: Command): void => {
  const order = program
    .command('order')
    .summary('what customers ordered')
    .description('What customers have ordered, paid or not.')
    .helpCommand(false)
  reads(order.command('list'))
    .description('Orders, newest first.')
    .option('--status <status>', `one of: ${ORDER_STATUSES.join(', ')}`, readStatus)
    .option('--email <email>', 'of this account')
    .option('--days <days>', 'how many days to look back', readDays, DAYS)
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  opens(order.command('show'))
    .description('One order with every attempt to pay for it.')
    .argument('<id>', 'the id of the order')
    .addOption(JSON_OPTION)
    .action(show)
}
