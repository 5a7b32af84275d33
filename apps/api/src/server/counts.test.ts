import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * What a count or a sum is for, in the rooms that price and pay. A count can go down: a purchase is cancelled, refunded or
 * disputed. 'gives': it makes something cheaper, or pays more; so it reads settled rows alone, and there is one such
 * query (`settledTransactions`). 'limits': it refuses more, so it counts at once what may not last. 'books': it adds
 * money up, each refund with its sign. 'shows': it is read by a person.
 */
type Purpose = 'gives' | 'limits' | 'books' | 'shows'

/** So many in each file. One more fails until it says here what it is for. */
const COUNTS: Record<string, Partial<Record<Purpose, number>>> = {
  'catalogue/promocodes/promocodes.queries.ts': { limits: 1 },
  'catalogue/promocodes/settled-transactions.ts': { gives: 1 },
  // Sums as they are written in mails, which the pattern takes for SQL.
  'money/cancellations/cancellations.mails.ts': { shows: 6 },
  'money/cancellations/statements.queries.ts': { shows: 1 },
  'money/disputes/disputes.queries.ts': { books: 1, shows: 1 },
  'money/disputes/evidence.queries.ts': { shows: 1 },
  'money/disputes/hints.queries.ts': { limits: 1 },
  'money/disputes/scheme-months.ts': { shows: 5 },
  'money/gateway/status-checks.ts': { limits: 1 },
  'money/payments/attempts/velocity.queries.ts': { limits: 2 },
  'money/payments/exceptions/unknown-payments.queries.ts': { limits: 1, shows: 1 },
  // Of an order's connections and the addresses for them; their names are numbered.
  'money/payments/updates/complete-purchase.ts': { limits: 3, shows: 1 },
  'money/rates/rates.queries.ts': { shows: 1 },
  'money/refunds/refunds.queries.ts': { books: 4 },
  'money/refunds/returned-purchases.queries.ts': { limits: 1 },
  // What refunds want back. A partner's transactions are shown, and the uses of a promocode limit it.
  'partners/earnings/earnings.queries.ts': { books: 2, limits: 1, shows: 1 },
  'partners/ledger/check-books.ts': { books: 16 },
  'partners/partnership/partnership.queries.ts': { shows: 1 },
  'partners/payout-files/payouts.queries.ts': { books: 4, shows: 4 },
  'partners/payout-files/read-xml.ts': { limits: 1 },
  'sales/invoices/accounting-rates.queries.ts': { shows: 1 },
  'sales/invoices/credit-notes.queries.ts': { books: 1 },
  'sales/invoices/documents.queries.ts': { books: 1, shows: 2 },
  'sales/invoices/invoices.queries.ts': { limits: 1 },
  // A paper's number.
  'sales/invoices/issue-credit-notes.ts': { books: 1 },
  'sales/invoices/next-number.ts': { books: 1 },
  'sales/invoices/read-invoices.queries.ts': { books: 1 },
  'sales/orders/old-orders.ts': { shows: 1 },
  'sales/orders/orders.queries.ts': { limits: 1 },
  // Days that were given to a connection.
  'sales/renewals/renewals.queries.ts': { limits: 2 },
}

const ROOMS = '{catalogue,sales,partners,money}/**/*.ts'

/** SQL's and Kysely's ways to count and add up, and a column that a query raises. */
const COUNTING =
  /\bcount\((?:\*|distinct\b)|\bsum\([a-z(]|\bfn\.(?:count|countAll|sum)\b|\b[a-z_.]+ \+ (?:1(?=[`,])|\$\{)/g

const countsOf = (source: string) => [...source.matchAll(COUNTING)].map(([found]) => found)

test('every count in the rooms that price and pay says what it is for, and one alone gives something', () => {
  const folder = new URL('../', import.meta.url).pathname
  const found = globSync(ROOMS, { cwd: folder })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => [path, countsOf(readFileSync(folder + path, 'utf8'))] as const)
    .filter(([, counts]) => counts.length > 0)
  const declared = Object.entries(COUNTS).map(([path, of]) => [
    path,
    Object.values(of).reduce((sum, count) => sum + count, 0),
  ])
  expect(Object.fromEntries(found.map(([path, counts]) => [path, counts.length]))).toEqual(
    Object.fromEntries(declared),
  )
  const giving = Object.entries(COUNTS).filter(([, { gives }]) => gives !== undefined)
  expect(giving.map(([path]) => path)).toEqual(['catalogue/promocodes/settled-transactions.ts'])
})
