import { type SearchHit, search } from '@hedgerow/contract/console/search'
import { positionOf } from '@hedgerow/domain/addresses'
import { formatDate } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { isUuid } from '@hedgerow/domain/ids'
import { creditNoteNumber, invoiceNumber, parseInvoiceNumber } from '@hedgerow/domain/invoices'
import { maskEmail } from '@hedgerow/domain/masked'
import type { Permission } from '@hedgerow/domain/operator-roles'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { shownName } from '#desk/console/shown-names.ts'
import {
  findAtPosition,
  findById,
  findCustomersByEmail,
  findCustomersByName,
  findInvoicePayments,
  findNodesByName,
  findPayments,
  findPromocodeOwner,
  listPools,
} from '#desk/search/search.queries.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

type Finder = {
  may: Permission
  find: (db: Db, words: string, operator: OperatorCaller) => Promise<SearchHit[]>
}

/** Masked, many are alike: the day tells them apart. */
const customerHit = ({
  id,
  email,
  created_at,
}: {
  id: string
  email: string
  created_at: Date
}): SearchHit => ({
  group: 'Customer',
  label: maskEmail(email),
  detail: `since ${formatDate(created_at)}`,
  to: `/customers/${id}`,
})

const BY_KIND: Readonly<Record<string, { group: string; may: Permission; page: string }>> = {
  customer: { group: 'Customer', may: 'customers.see', page: '/customers' },
  order: { group: 'Order', may: 'payments.see', page: '/orders' },
  connection: { group: 'Connection', may: 'connections.see', page: '/connections' },
  refund: { group: 'Refund', may: 'payments.see', page: '/payments' },
  conversation: { group: 'Conversation', may: 'conversations.see', page: '/inbox' },
}

const byId =
  (kind: string): Finder['find'] =>
  async (db, words, operator) => {
    if (!isUuid(words)) return []
    const { group, page } = BY_KIND[kind] ?? { group: '', page: '' }
    return (await findById(db, words))
      .filter((row) => row.kind === kind)
      .map(({ id, label }) => ({
        group,
        label: (kind === 'connection' ? shownName(label, operator) : label) || id,
        detail: '',
        to: `${page}/${id}`,
      }))
  }

const CREDIT_NOTE = /^CN-/i

const byNumber: Finder['find'] = async (db, words) => {
  const parsed = parseInvoiceNumber(words.replace(CREDIT_NOTE, ''))
  if (!parsed) return []
  const rows = await findInvoicePayments(db, parsed.year, parsed.number)
  return rows
    .filter(({ kind }) => !CREDIT_NOTE.test(words) || kind === 'credit note')
    .map(({ kind, year, number, order_id, payment_id }) =>
      kind === 'invoice'
        ? { group: 'Invoice', label: invoiceNumber(year, number), detail: '', to: `/orders/${order_id}` }
        : {
            group: 'Credit note',
            label: creditNoteNumber(year, number),
            detail: '',
            to: `/payments/${payment_id}`,
          },
    )
}

const byAddress: Finder['find'] = async (db, words, operator) => {
  const found: SearchHit[] = []
  for (const pool of await listPools(db)) {
    const position = positionOf(pool, words)
    if (position === undefined) continue
    for (const { id, name } of await findAtPosition(db, pool.id, position))
      found.push({
        group: 'Connection',
        label: shownName(name, operator),
        detail: `${words} on ${pool.name}`,
        to: `/connections/${id}`,
      })
  }
  return found
}

/** By what one types, and who may be told. */
const FINDERS: readonly Finder[] = [
  {
    may: 'customers.open',
    find: async (db, words) => (await findCustomersByEmail(db, words)).map(customerHit),
  },
  {
    may: 'customers.open',
    find: async (db, words) => (await findCustomersByName(db, words)).map(customerHit),
  },
  ...Object.entries(BY_KIND).map(([kind, { may }]) => ({ may, find: byId(kind) })),
  {
    may: 'payments.see',
    find: async (db, words) =>
      (await findPayments(db, words)).map(({ id, status, charged_minor, charged_currency }) => ({
        group: 'Payment',
        label: formatCharged(charged_minor, charged_currency),
        detail: status,
        to: `/payments/${id}`,
      })),
  },
  { may: 'payments.see', find: byNumber },
  { may: 'connections.see', find: byAddress },
  {
    may: 'promocodes.see',
    find: async (db, words) =>
      (await findPromocodeOwner(db, words)).map(({ promocode }) => ({
        group: 'Promocode',
        label: promocode,
        detail: '',
        to: `/promocodes/${promocode}`,
      })),
  },
  {
    may: 'nodes.see',
    find: async (db, words) =>
      (await findNodesByName(db, words)).map(({ name, endpoint }) => ({
        group: 'Node',
        label: name,
        detail: endpoint,
        to: `/nodes/${encodeURIComponent(name)}`,
      })),
  },
]

export const searchRoutes = (app: FastifyInstance, deps: With<'db'>): void => {
  implementForOperators(app, deps, search, async ({ operator, query: { words } }) => {
    const hits: SearchHit[] = []
    for (const { may, find } of FINDERS)
      if (operator.permissions.has(may)) hits.push(...(await find(deps.db, words, operator)))
    const seen = new Set<string>()
    return hits.filter(({ to }) => !seen.has(to) && seen.add(to))
  })
}
