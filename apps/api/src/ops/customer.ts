import { formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { formatMinor, formatMoney, toMinor } from '@hedgerow/domain/money'
import { counted } from '@hedgerow/domain/order-description'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import type { Command } from 'commander'
import { resendConfirmation } from '#accounts/accounts.service.ts'
import { statusOf } from '#connections/connection-facts.queries.ts'
import { type CustomerStory, searchCustomers, tellCustomer } from '#profile/tell-customer.ts'
import { readPartnerSettings } from '../settings.ts'
import { changes, opens } from './classes.ts'
import { addCustomerData } from './customer-data.ts'
import { accountOf } from './find-account.ts'
import { JSON_OPTION, readCount, readLineOf } from './options.ts'
import { ORDER_HEADS, orderRow } from './order.ts'
import { presentCustomer, presentFound } from './present-customer.ts'
import { say, sayFacts, sayJson, sayTable } from './print.ts'
import { Refusal } from './refusal.ts'
import { withDatabase } from './with-database.ts'

const WHO = 'the e-mail or the id of the account'
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
    if (rows.length === 0) return say('There is no such customer.')
    sayTable(
      ['customer', 'e-mail', 'name', 'since', 'confirmed'],
      rows.map((row) => [row.id, row.email, row.name, time(row.created_at), row.confirmed_at ? 'yes' : 'no']),
    )
    if (hasMore) say(`There are more than these ${limit}. Say more of it, or --limit.`)
  })

const addressOf = ({ account }: CustomerStory): string =>
  [account.address_string, account.address_city, account.address_zip, account.address_country]
    .filter(Boolean)
    .join(', ')

const balancesOf = ({ partnership }: CustomerStory): string =>
  partnership.balances
    .map(({ currency, available, pending }) => {
      const money = (major: number) => formatMoney(toMinor(major) ?? 0, currency)
      return `${money(available)} available, ${money(pending)} pending`
    })
    .join('; ')

const saySection = (title: string, heads: readonly string[], rows: readonly string[][]): void => {
  say('')
  if (rows.length === 0) {
    say(`${title}: none`)
    return
  }
  say(rows.length === SHOWN ? `${title}, the newest ${SHOWN}:` : `${title}:`)
  sayTable(heads, rows)
}

const sayStory = (story: CustomerStory): void => {
  const { account, partnership } = story
  sayFacts([
    ['Customer', account.id],
    ['E-mail', account.email],
    ['Confirmed', account.confirmed_at ? time(account.confirmed_at) : 'no'],
    ['Nickname', account.name],
    ['Name', [account.first_name, account.last_name].filter(Boolean).join(' ')],
    ['Phone', account.phone],
    ['Address', addressOf(story)],
    ['Since', time(account.created_at)],
    ['Came', account.referred_by ? 'by a referral' : 'by itself'],
    ['Promocode', partnership.promocode],
    [
      'Partner',
      `level ${partnership.level}, ${partnership.percentage}%; ${counted(partnership.crossings, 'crossing')}, ${counted(partnership.transactions, 'transaction')}`,
    ],
    ['Balance', balancesOf(story)],
  ])
  saySection('Orders', ORDER_HEADS, story.orders.map(orderRow))
  saySection(
    'Payments',
    ['payment', 'started', 'status', 'method', 'charged', 'refunded'],
    story.payments.map((row) => [
      row.id,
      time(row.created_at),
      row.status,
      METHOD_NAMES[row.method],
      formatCharged(row.charged_minor, row.charged_currency),
      row.refunded_minor > 0 ? formatMinor(row.refunded_minor) : '',
    ]),
  )
  saySection(
    'Connections',
    ['connection', 'name', 'node', 'status', 'ends'],
    story.connections.map((row) => [
      row.id,
      row.name,
      row.node_name,
      statusOf(row),
      row.expires_at ? time(row.expires_at) : 'never',
    ]),
  )
}

const show = (who: string, { json }: Json) => {
  const settings = readPartnerSettings(process.env)
  return withDatabase(async (db) => {
    const account = await accountOf(db, who)
    const story = await tellCustomer({ db, settings }, account, SHOWN)
    return json ? sayJson(presentCustomer(story)) : sayStory(story)
  })
}

const resend = (who: string, { json }: Json) =>
  withDatabase(async (db) => {
    const { id, email, confirmed_at } = await accountOf(db, who)
    if (confirmed_at) throw new Refusal(`It was confirmed on ${time(confirmed_at)}; the customer can log in.`)
    await resendConfirmation({ db }, email)
    if (json) return sayJson({ outcome: 'queued', customerId: id })
    say(
      `A new confirmation mail to ${email} is queued; the running shop sends it. Its link works for 24 hours.`,
    )
  })

export const addCustomer = (program: Command): void => {
  const customer = program
    .command('customer')
    .summary('accounts of customers')
    .description('Accounts of customers. Whoever looks at one is recorded.')
    .helpCommand(false)
  opens(customer.command('find'))
    .description('Accounts by any of what a customer may tell you, the newest first.')
    .argument(
      '<words>',
      'the e-mail or the name or a part of it, the promocode, the id of a payment, order or connection, or the last four digits of the card',
      readLineOf(2, 200),
    )
    .option('--limit <count>', 'so many at most', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(find)
  opens(customer.command('show'))
    .description('One account with its orders, payments and connections. No key is shown.')
    .argument('<who>', WHO)
    .addOption(JSON_OPTION)
    .action(show)
  changes(customer.command('resend-confirmation'))
    .description('Send the mail again that confirms the e-mail of a new account.')
    .argument('<who>', WHO)
    .addOption(JSON_OPTION)
    .action(resend)
  addCustomerData(customer)
}
