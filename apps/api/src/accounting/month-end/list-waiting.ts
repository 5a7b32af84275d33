import type { Month } from '#accounting/month-end/month.ts'
import {
  listAtOldRate,
  listCurrenciesWithoutRate,
  listOpenDisputes,
  listOpenPayments,
  listOpenRefunds,
  listWithoutInvoice,
  listWithoutNote,
  listWithoutSterling,
  type Waiting,
} from '#accounting/month-end/waiting.queries.ts'
import { measureUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import { listOwedRefunds } from '#money/refunds/refunds.service.ts'
import type { Db } from '#platform/database/client.ts'

/** What keeps a month from being closed, and the first ids. What to do about a kind, each front says. */
export type ListedWaiting = Waiting & { kind: string; what: string }

const MOST_NAMED = 20

const none: Waiting = { count: 0, ids: [] }

const whileItRuns = ({ name, to }: Month, now: Date): Waiting => (now < to ? { count: 1, ids: [name] } : none)

/** Money that is due back, without a refund at the gateway. */
const listUnasked = async (db: Db, { to }: Month): Promise<Waiting> => {
  const ids = (await listOwedRefunds(db))
    .filter(({ why, since }) => why === 'not-asked-for' && since < to)
    .map(({ payment_id }) => payment_id)
  return { count: ids.length, ids: ids.slice(0, MOST_NAMED) }
}

const countUnknown = async (db: Db): Promise<Waiting> => ({
  count: (await measureUnknown(db)).count,
  ids: [],
})

type Kind = { what: string; list: (db: Db, month: Month, now: Date) => Promise<Waiting> }

const KINDS: Readonly<Record<string, Kind>> = {
  'month-runs': {
    what: 'the month has not ended yet',
    list: async (_, month, now) => whileItRuns(month, now),
  },
  'no-rate': {
    what: 'currencies of sales have no sterling rate for the month',
    list: listCurrenciesWithoutRate,
  },
  'no-invoice': {
    what: 'paid orders have no invoice yet',
    list: listWithoutInvoice,
  },
  'no-credit-note': {
    what: 'refunds have no credit note yet',
    list: listWithoutNote,
  },
  'open-refunds': {
    what: 'refunds are under way, refused, or to be sent by hand',
    list: listOpenRefunds,
  },
  'unasked-refunds': {
    what: 'payments bought nothing, and their money has not been sent back',
    list: listUnasked,
  },
  'open-payments': {
    what: 'payments have not ended a day after they began',
    list: listOpenPayments,
  },
  'unknown-payments': {
    what: 'payments are known only to the gateway',
    list: countUnknown,
  },
}

/** What does not keep a month from being closed, but the accountant should see. */
const REMARKS: Readonly<Record<string, Kind>> = {
  'no-sterling': {
    what: 'invoices tell no sterling: no rate was set when they were issued',
    list: listWithoutSterling,
  },
  'old-rate': {
    what: 'invoices are at the sterling rate of an earlier month: that of theirs was set later',
    list: listAtOldRate,
  },
  // A bank may take a year to decide: until then the sale is in the books, and its money is with the gateway.
  'open-disputes': {
    what: 'disputes are open: it is not decided whose their money is',
    list: listOpenDisputes,
  },
}

const listKinds = async (
  kinds: Readonly<Record<string, Kind>>,
  db: Db,
  month: Month,
  now: Date,
): Promise<ListedWaiting[]> => {
  const found: ListedWaiting[] = []
  for (const [kind, { what, list }] of Object.entries(kinds)) {
    const waiting = await list(db, month, now)
    if (waiting.count > 0) found.push({ kind, what, ...waiting })
  }
  return found
}

export const listWaiting = (db: Db, month: Month, now: Date): Promise<ListedWaiting[]> =>
  listKinds(KINDS, db, month, now)

export const listRemarks = (db: Db, month: Month, now: Date): Promise<ListedWaiting[]> =>
  listKinds(REMARKS, db, month, now)
