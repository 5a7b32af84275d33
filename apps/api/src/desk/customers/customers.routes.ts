import {
  addCustomerNote,
  eraseCustomer,
  exportCustomer,
  exportCustomers,
  findCustomers,
  getCustomer,
  getCustomerActivity,
  type ListedCustomer,
  letCustomerBuy,
  listCustomers,
  logOutCustomer,
  openCustomer,
  removeCustomerNote,
  resendConsoleConfirmation,
  resetSecondStep as resetSecondStepEndpoint,
  withdrawReset as withdrawResetEndpoint,
} from '@hedgerow/contract/console/customers'
import { maskAccount } from '@hedgerow/domain/masked'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { boundSearch } from '#desk/customers/bound-search.ts'
import {
  type CustomerFacts,
  customerOrder,
  selectCustomerFacts,
} from '#desk/customers/customer-facts.queries.ts'
import { addNote, removeNote, resetSecondStep, withdrawReset } from '#desk/customers/customer-notes.ts'
import { findCustomerPage } from '#desk/customers/customer-page.ts'
import {
  customerActivity,
  customerPage,
  foundCustomer,
  listedCustomer,
} from '#desk/customers/customers.present.ts'
import { getAccountActivity, logOutEverywhere } from '#desk/customers/guard-account.ts'
import { searchCustomerRows } from '#desk/customers/search-customers.queries.ts'
import { whyNotErased } from '#desk/customers/why-not-erased.ts'
import { eraseForGood } from '#desk/profile/erase-account.ts'
import { exportAccount } from '#desk/profile/export-account.ts'
import { letBuy } from '#money/refunds/refunds.service.ts'
import { queueConfirmation } from '#people/accounts/accounts.service.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import { forgetSessions } from '#people/sessions/sessions.service.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = ConsoleListDependencies &
  With<'keyCipher' | 'settings'> &
  Partial<With<'rateCounter' | 'sessions'>>

/** So many accounts are found at most, and so many events are shown. */
const FOUND = 50
const EVENTS = 200

const list: ListDefinition<
  z.output<typeof listCustomers.schema.querystring>,
  CustomerFacts,
  ListedCustomer
> = {
  query: selectCustomerFacts,
  ...customerOrder,
  show: listedCustomer,
  columns: fileColumns(listCustomers.columns),
}

/** Only the customer's own page hands these out, and the tool. */
const SECRETS = new Set(['clientPrivateKey', 'presharedKey'])
/** Of a bank account, what tells one from another. */
const ACCOUNTS = new Set(['iban', 'sortCode', 'accountNumber'])
const withoutSecrets = (name: string, value: unknown) => {
  if (SECRETS.has(name)) return undefined
  return ACCOUNTS.has(name) && typeof value === 'string' ? maskAccount(value) : value
}

const actsRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
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

  implementForOperators(app, deps, letCustomerBuy, async ({ params }) => {
    const { id } = await accountOf(params.customerId)
    await deps.db.transaction().execute((trx) => letBuy(trx, id))
    return {}
  })

  implementForOperators(app, deps, getCustomerActivity, async ({ params }) => {
    await accountOf(params.customerId)
    return customerActivity(await getAccountActivity(deps, params.customerId, EVENTS), EVENTS)
  })

  implementForOperators(app, deps, logOutCustomer, async ({ params, body, operator }) => {
    await accountOf(params.customerId)
    // One person alone could otherwise take over an account whose mailbox they have.
    if (body.withoutSecondStep && operator.by !== 'shell') throw refused('this takes two operators: reset it')
    const ended = await logOutEverywhere(deps, params.customerId, body)
    forgetSessions(deps, ended)
    return { sessions: ended.length }
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

  implementForOperators(app, deps, exportCustomer, async ({ params, operator }, reply) => {
    await accountOf(params.customerId)
    const data = await exportAccount(deps, params.customerId)
    reply.type('application/json; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="customer-${params.customerId}.json"`)
    // Who has a shell on the shop's machine has the key that all of it is sealed with.
    const hide = operator.by === 'shell' ? (_: string, value: unknown) => value : withoutSecrets
    return reply.send(JSON.stringify(data, hide, 2) as never)
  })

  implementForOperators(app, deps, eraseCustomer, async ({ params }) => {
    await accountOf(params.customerId)
    try {
      forgetSessions(deps, await eraseForGood(deps, params.customerId))
    } catch (error) {
      throw error instanceof Problem ? refused(whyNotErased(error)) : error
    }
    return {}
  })
}

/** Customers' accounts, and how they are helped. */
export const customersRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  serveList(app, deps, { list: listCustomers, file: exportCustomers, fileName: 'customers' }, list)

  implementForOperators(app, deps, getCustomer, async ({ params, operator }) => {
    const page = await findCustomerPage(deps, params.customerId)
    if (!page) throw new Problem('customer-not-found')
    return customerPage(page, operator)
  })

  implementForOperators(app, deps, findCustomers, async ({ query: { words }, operator, recordSubject }) => {
    await boundSearch(deps, operator)
    const found = await searchCustomerRows(deps.db, words, FOUND)
    const [first, ...others] = found
    recordSubject(first && others.length === 0 ? first.id : `${found.length} found`)
    return found.map(foundCustomer)
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
