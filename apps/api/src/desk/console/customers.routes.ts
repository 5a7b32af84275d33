import type * as contract from '@hedgerow/contract/console/customers'
import {
  addCustomerNote,
  type CustomerPage,
  eraseCustomer,
  exportCustomer,
  exportCustomers,
  getCustomer,
  listCustomers,
  logOutCustomer,
  openCustomer,
  removeCustomerNote,
  resendConsoleConfirmation,
  resetSecondStep as resetSecondStepEndpoint,
  withdrawReset as withdrawResetEndpoint,
} from '@hedgerow/contract/console/customers'
import { maskAccount, maskEmail, maskName } from '@hedgerow/domain/masked'
import { levelFor } from '@hedgerow/domain/partnership'
import { wordsOfEvent } from '@hedgerow/domain/security-events'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { type CustomerFacts, selectCustomerFacts } from '#desk/backoffice/customer-facts.queries.ts'
import { addNote, removeNote, resetSecondStep, withdrawReset } from '#desk/backoffice/customer-notes.ts'
import { findCustomerPage } from '#desk/backoffice/customer-page.ts'
import { logOutEverywhere } from '#desk/backoffice/guard-account.ts'
import { listedConnection } from '#desk/connections/connections.present.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { dateOf } from '#desk/console/payments.routes.ts'
import { listedPayment } from '#desk/console/present-payments.ts'
import { refused } from '#desk/console/refused.ts'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#desk/console/serve-list.ts'
import { listedOrder } from '#desk/orders/orders.present.ts'
import { whyNotErased } from '#desk/presentation/why-not-erased.ts'
import { eraseForGood } from '#desk/profile/erase-account.ts'
import { exportAccount } from '#desk/profile/export-account.ts'
import { queueConfirmation } from '#people/accounts/accounts.service.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import { plainText } from '#platform/csv/write-csv.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = ConsoleListDependencies & With<'keyCipher' | 'settings'>

const flag = (word: 'yes' | 'no' | undefined) => (word === undefined ? undefined : word === 'yes')

const listed = (row: CustomerFacts): contract.ListedCustomer => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  email: maskEmail(row.email),
  name: maskName(row.name),
  isConfirmed: row.confirmed_at !== null,
  hasSecondStep: row.second_step_at !== null,
  country: row.address_country,
  payments: Number(row.payments),
  connections: Number(row.connections),
})

const yesOrNo = (is: boolean) => (is ? 'yes' : 'no')

const customers: ListDefinition<
  z.output<typeof listCustomers.schema.querystring>,
  CustomerFacts,
  contract.ListedCustomer
> = {
  query: (db, { confirmed, secondStep, paid, country, since, until }) =>
    selectCustomerFacts(db, {
      isConfirmed: flag(confirmed),
      hasSecondStep: flag(secondStep),
      hasPaid: flag(paid),
      country,
      since: dateOf(since),
      until: dateOf(until),
    }),
  sorts: { createdAt: { by: sql`customers.created_at`, type: 'timestamptz' } },
  id: { by: sql`customers.id`, type: 'uuid' },
  show: listed,
  columns: [
    { name: 'id', title: 'Customer', cell: ({ id }) => id },
    { name: 'createdAt', title: 'Since (UTC)', cell: ({ createdAt }) => createdAt },
    { name: 'email', title: 'Email', cell: ({ email }) => plainText(email) },
    { name: 'name', title: 'Name', cell: ({ name }) => plainText(name) },
    { name: 'country', title: 'Country', cell: ({ country }) => plainText(country) },
    { name: 'isConfirmed', title: 'Confirmed', cell: ({ isConfirmed }) => yesOrNo(isConfirmed) },
    { name: 'hasSecondStep', title: 'Second step', cell: ({ hasSecondStep }) => yesOrNo(hasSecondStep) },
    { name: 'payments', title: 'Payments', cell: ({ payments }) => String(payments) },
    { name: 'connections', title: 'Connections', cell: ({ connections }) => String(connections) },
  ],
}

type Page = NonNullable<Awaited<ReturnType<typeof findCustomerPage>>>

const presentPage = (page: Page, operator: OperatorCaller): CustomerPage => {
  const { facts, report, activity, conversations, notes, reset } = page
  const { level, percentage } = levelFor(report.partner.facts.transactions)
  const inCurrency = (currency: string) => (minor: string | number) => ({ minor: Number(minor), currency })
  return {
    ...listed(facts),
    promocode: facts.promocode,
    cameByReferral: facts.referred_by !== null,
    orders: report.orders.map((row) => listedOrder(row, operator)),
    recentPayments: report.payments.map((row) => listedPayment(row, operator)),
    recentConnections: report.connections.map((row) => listedConnection(row, operator)),
    conversations: conversations.map(({ id, kind, state, last_message_at }) => ({
      id,
      kind,
      state,
      lastMessageAt: last_message_at.toISOString(),
    })),
    partner: {
      level,
      percentage,
      transactions: report.partner.facts.transactions,
      balances: report.partner.balances.map((row) => {
        const sum = inCurrency(row.currency)
        return {
          currency: row.currency,
          available: sum(row.available_minor),
          pending: sum(row.pending_minor),
          requested: sum(row.requested_minor),
          paid: sum(row.paid_minor),
          owing: sum(row.owing_minor),
        }
      }),
    },
    security: {
      secondStepSince: activity.guard.second_step_at?.toISOString() ?? null,
      secondStepEndsAt: activity.guard.second_step_ends_at?.toISOString() ?? null,
      passkeys: activity.passkeys.length,
      hasApp: activity.guard.totp_at !== null,
      sessions: activity.sessions.length,
      events: activity.events.map(({ kind, browser, times, last_at }) => ({
        at: last_at.toISOString(),
        what: wordsOfEvent(kind),
        browser,
        times,
      })),
    },
    notes: notes.map(({ id, by, text, created_at, operator_id }) => ({
      id,
      at: created_at.toISOString(),
      by,
      // What is written of a person may be anything; figures and states are not.
      text: operator.permissions.has('customers.open') ? text : '…',
      isMine: operator_id === operator.id || operator.permissions.has('customers.erase'),
    })),
    resetAsked: reset
      ? { by: reset.by, at: reset.asked_at.toISOString(), isMine: reset.operator_id === operator.id }
      : null,
  }
}

/** Nobody hands these out but the customer's own page. */
const SECRETS = new Set(['clientPrivateKey', 'presharedKey'])
/** Of a bank account, what tells one from another. */
const ACCOUNTS = new Set(['iban', 'sortCode', 'accountNumber'])
const withoutSecrets = (name: string, value: unknown) => {
  if (SECRETS.has(name)) return undefined
  return ACCOUNTS.has(name) && typeof value === 'string' ? maskAccount(value) : value
}

const actsRoutes = (app: FastifyInstance, deps: Deps): void => {
  const accountOf = async (id: string) => {
    const account = await findCustomer(deps.db, id)
    if (!account) throw new Problem('customer-not-found')
    return account
  }

  implementForOperators(app, deps, openCustomer, async ({ params }) => {
    const row = await accountOf(params.customerId)
    const { address_string, address_city, address_zip, address_country } = row
    return {
      email: row.email,
      name: row.name,
      firstName: row.first_name,
      lastName: row.last_name,
      phone: row.phone,
      address: [address_string, address_city, address_zip, address_country].filter(Boolean),
    }
  })

  implementForOperators(app, deps, resendConsoleConfirmation, async ({ params }) => {
    const { id, confirmed_at } = await accountOf(params.customerId)
    if (confirmed_at) throw refused('the account is confirmed already, so the customer can log in')
    await queueConfirmation(deps, id)
    return {}
  })

  implementForOperators(app, deps, logOutCustomer, async ({ params, body }) => {
    await accountOf(params.customerId)
    return { sessions: await logOutEverywhere(deps, params.customerId, body) }
  })

  implementForOperators(app, deps, resetSecondStepEndpoint, async ({ params, operator }) => {
    const { second_step_at } = await accountOf(params.customerId)
    if (!second_step_at) throw refused('the account has no second step')
    return { outcome: await resetSecondStep(deps, params.customerId, operator.id) }
  })

  implementForOperators(app, deps, withdrawResetEndpoint, async ({ params }) => {
    await withdrawReset(deps, params.customerId)
    return {}
  })

  implementForOperators(app, deps, exportCustomer, async ({ params }, reply) => {
    await accountOf(params.customerId)
    const data = await exportAccount(deps, params.customerId)
    reply.type('application/json; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="customer-${params.customerId}.json"`)
    return reply.send(JSON.stringify(data, withoutSecrets, 2))
  })

  implementForOperators(app, deps, eraseCustomer, async ({ params }) => {
    await accountOf(params.customerId)
    try {
      await eraseForGood(deps, params.customerId)
    } catch (error) {
      throw error instanceof Problem ? refused(whyNotErased(error)) : error
    }
    return {}
  })
}

/** Customers' accounts, and how they are helped. */
export const customersRoutes = (app: FastifyInstance, deps: Deps): void => {
  serveList(app, deps, { list: listCustomers, file: exportCustomers, fileName: 'customers' }, customers)

  implementForOperators(app, deps, getCustomer, async ({ params, operator }) => {
    const page = await findCustomerPage(deps, params.customerId)
    if (!page) throw new Problem('customer-not-found')
    return presentPage(page, operator)
  })

  actsRoutes(app, deps)

  implementForOperators(app, deps, addCustomerNote, async ({ params, body, operator }) => {
    await addNote(deps, params.customerId, operator.id, body.text)
    return {}
  })

  implementForOperators(app, deps, removeCustomerNote, async ({ params, operator }) => {
    const operatorId = operator.permissions.has('customers.erase') ? undefined : operator.id
    await removeNote(deps, { id: params.noteId, customerId: params.customerId, operatorId })
    return {}
  })
}
