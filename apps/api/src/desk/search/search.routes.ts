import { type SearchHit, search } from '@hedgerow/contract/console/search'
import { positionOf } from '@hedgerow/domain/addresses'
import { formatDate } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { isPaymentId, isUuid } from '@hedgerow/domain/ids'
import { creditNoteNumber, invoiceNumber, parseInvoiceNumber } from '@hedgerow/domain/invoices'
import { maskEmail } from '@hedgerow/domain/masked'
import { formatMinor, readAmount } from '@hedgerow/domain/money'
import type { Permission } from '@hedgerow/domain/operator-roles'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { shownName } from '#desk/console/shown-names.ts'
import { boundSearch } from '#desk/customers/bound-search.ts'
import {
  findAtPosition,
  findById,
  findCustomersByWords,
  findInvoicePayments,
  findNodesByName,
  findPayments,
  findPaymentsOfSum,
  findPromocodeOwner,
  listPools,
} from '#desk/search/search.queries.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

/** A payment's sum is no larger: see the table. */
const MOST_MINOR = 2_147_483_647

type Finder = {
  may: Permission
  /** By what names a person: it is bounded. */
  isOfPeople?: true
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
    for (const { id, name } of await findAtPosition(db, pool.id, position, words.includes(':')))
      found.push({
        group: 'Connection',
        label: shownName(name, operator),
        detail: `${words} on ${pool.name}`,
        to: `/connections/${id}`,
      })
  }
  return found
}

/** '12.50', '€12.50', '1,250.00': a plain number may be anything, and is no sum. */
const SUM = /^([€£]?)\s?([\d.,]+)\s?(EUR|GBP|PLN)?$/i
const CURRENCIES_OF_SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' }

const bySum: Finder['find'] = async (db, words) => {
  const [, sign = '', digits = '', code] = SUM.exec(words) ?? []
  const minor = readAmount(digits)
  const currency = code?.toUpperCase() ?? CURRENCIES_OF_SIGNS[sign]
  if (!minor || minor > MOST_MINOR || !(currency || /[.,]\d\d?$/.test(digits))) return []
  const found = await findPaymentsOfSum(db, minor, currency)
  const sum = formatMinor(minor)
  return [
    ...found.map(({ id, status, charged_minor, charged_currency, created_at }) => ({
      group: 'Payment',
      label: formatCharged(charged_minor, charged_currency),
      detail: `${status}, ${formatDate(created_at)}`,
      to: `/payments/${id}`,
    })),
    ...(found.length > 0
      ? [{ group: 'Payments', label: `All of ${sum}`, detail: '', to: `/payments?least=${sum}&most=${sum}` }]
      : []),
  ]
}

/** By what one types, and who may be told. */
const FINDERS: readonly Finder[] = [
  {
    may: 'customers.open',
    isOfPeople: true,
    find: async (db, words) => (await findCustomersByWords(db, words)).map(customerHit),
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
  { may: 'payments.see', find: bySum },
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

/** An id, a sum, a number or an address of a tunnel is no part of a name. */
const mayNameSomebody = (words: string) => !isUuid(words) && !isPaymentId(words) && /\p{L}/u.test(words)

export const searchRoutes = (app: FastifyInstance, deps: With<'db' | 'rateCounter'>): void => {
  implementForOperators(app, deps, search, async ({ operator, query: { words }, recordSubject }) => {
    const hits: SearchHit[] = []
    for (const { may, isOfPeople, find } of FINDERS) {
      if (!operator.permissions.has(may)) continue
      if (isOfPeople && !mayNameSomebody(words)) continue
      if (isOfPeople) await boundSearch(deps, operator)
      hits.push(...(await find(deps.db, words, operator)))
    }
    const seen = new Set<string>()
    const found = hits.filter(({ to }) => !seen.has(to) && seen.add(to))
    recordSubject(`${found.length} found`)
    return found
  })
}
