import { formatDate, formatDateTime } from '@hedgerow/domain/dates'
import { counted } from '@hedgerow/domain/order-description'
import type { Command } from 'commander'
import { type CustomerReport, getCustomerReport, searchCustomers } from '#desk/backoffice/customer-report.ts'
import { addCustomerData } from '#desk/commands/customer-data.ts'
import { addCustomerSecurity } from '#desk/commands/customer-security.ts'
import { PAYMENT_HEADS, paymentRow } from '#desk/commands/payment.ts'
import { type ConnectionFacts, statusOf } from '#desk/connections/connection-facts.queries.ts'
import { presentCustomer, presentFound } from '#desk/presentation/present-customer.ts'
import { ORDER_HEADS, orderRow } from '#desk/presentation/present-order.ts'
import { balanceFacts, presentPartnerSummary } from '#desk/presentation/present-partner.ts'
import { changes, opens } from '#desk/tool/classes.ts'
import { accountOf } from '#desk/tool/find-account.ts'
import { JSON_OPTION, readCount, readLineOf } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, saySection, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { queueConfirmation } from '#people/accounts/accounts.service.ts'

const WHO = 'the email address or id of the account'
const LISTED = 50
const SHOWN = 10

type Json = { json?: true }

const time = (at: Date | null) => (at ? formatDateTime(at) : '')

const find = (words: string, { limit, json }: Json & { limit: number }) =>
  withDatabase(async (db) => {
    const found = await searchCustomers({ db }, words, limit + 1)
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ customers: rows.map(presentFound), hasMore })
    if (rows.length === 0) return say('No customers found.')
    sayTable(
      ['customer', 'email', 'name', 'since', 'confirmed'],
      rows.map((row) => [
        row.id,
        row.email,
        row.name,
        formatDate(row.created_at),
        row.confirmed_at ? 'yes' : 'no',
      ]),
    )
    if (hasMore) say(`There are more than these ${limit}. Search for more of it, or raise --limit.`)
  })

const addressOf = ({ account }: CustomerReport): string =>
  [account.address_string, account.address_city, account.address_zip, account.address_country]
    .filter(Boolean)
    .join(', ')

const CONNECTION_HEADS = ['connection', 'name', 'node', 'status', 'ends'] as const

const connectionRow = (row: ConnectionFacts): string[] => [
  row.id,
  row.name,
  row.node_name,
  statusOf(row),
  row.expires_at ? time(row.expires_at) : 'never',
]

const sayReport = (report: CustomerReport, limit: number): void => {
  const { account, partner } = report
  const { level, percentage, ...standing } = presentPartnerSummary(partner.facts)
  sayFacts([
    ['Customer', account.id],
    ['Email', account.email],
    ['Confirmed', account.confirmed_at ? time(account.confirmed_at) : 'no'],
    ['Nickname', account.name],
    ['Name', [account.first_name, account.last_name].filter(Boolean).join(' ')],
    ['Phone', account.phone],
    ['Address', addressOf(report)],
    ['Since', time(account.created_at)],
    ['Came', account.referred_by ? 'by a referral link' : 'directly'],
    ['Promocode', standing.promocode],
    [
      'Partner',
      `level ${level}, ${percentage}%; ${counted(standing.crossings, 'crossing')}, ${counted(standing.transactions, 'transaction')}`,
    ],
    ...balanceFacts(partner.balances),
  ])
  for (const section of [
    { title: 'Orders', heads: ORDER_HEADS, rows: report.orders.map(orderRow) },
    { title: 'Payments', heads: PAYMENT_HEADS, rows: report.payments.map(paymentRow) },
    { title: 'Connections', heads: CONNECTION_HEADS, rows: report.connections.map(connectionRow) },
  ])
    saySection(section, limit)
}

const show = (who: string, { limit, json }: Json & { limit: number }) =>
  withDatabase(async (db) => {
    const account = await accountOf(db, who)
    const report = await getCustomerReport({ db }, account, limit)
    return json ? sayJson(presentCustomer(report, limit)) : sayReport(report, limit)
  })

const resend = (who: string, { json }: Json) =>
  withDatabase(async (db) => {
    const { id, email, confirmed_at } = await accountOf(db, who)
    if (confirmed_at)
      throw new Refusal(`The account was confirmed on ${time(confirmed_at)}, so the customer can log in.`)
    await queueConfirmation({ db }, id)
    if (json) return sayJson({ outcome: 'queued', customerId: id })
    say(
      `A new confirmation mail to ${email} is queued; the running shop sends it. Its link works for 24 hours.`,
    )
  })

export const addCustomer = (program: Command): void => {
  const customer = program
    .command('customer')
    .summary('customers’ accounts')
    .description('Customers’ accounts. The audit records who looks at one.')
    .helpCommand(false)
  opens(customer.command('find'))
    .description('Find accounts by anything a customer may tell you, newest first.')
    .argument(
      '<words>',
      'all or part of the email address or name, a promocode, the id of a payment, order or connection, or the last four digits of a card',
      readLineOf(2, 200),
    )
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(find)
  opens(customer.command('show'))
    .description('One account with its orders, payments and connections. No key is shown.')
    .argument('<who>', WHO)
    .option('--limit <count>', 'show at most this many of each', readCount, SHOWN)
    .addOption(JSON_OPTION)
    .action(show)
  changes(customer.command('resend-confirmation'))
    .description('Send a new account its confirmation mail again.')
    .argument('<who>', WHO)
    .addOption(JSON_OPTION)
    .action(resend)
  addCustomerSecurity(customer)
  addCustomerData(customer)
}
