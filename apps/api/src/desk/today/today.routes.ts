import { type AlertList, getSales, getToday } from '@hedgerow/contract/console/today'
import { DAY_MS, dayAfter, formatUkTime, londonPeriods } from '@hedgerow/domain/dates'
import { convertBack } from '@hedgerow/domain/exchange'
import { GATEWAY_TITLES } from '@hedgerow/domain/gateways'
import type { CurrencyCode } from '@hedgerow/domain/money'
import type { Permission } from '@hedgerow/domain/operator-roles'
import { METHOD_NAMES, type PaymentMethod } from '@hedgerow/domain/payment-methods'
import type { FastifyInstance } from 'fastify'
import { lastBackup } from '#care/backup/last-backup.ts'
import { getOverviewReport, type Sales, sumSalesBetween } from '#care/overview/overview.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import {
  countOrdersSince,
  listPlanNames,
  type SalesPart,
  type SalesStep,
  salesBySteps,
  soldByDay,
} from '#desk/today/today.queries.ts'
import { type Db, isDatabaseFull } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { findSilence, SILENT_AFTER } from '#platform/running-settings/running-settings.ts'
import { readSterlingRates, type SterlingRates, sterlingRateOn } from '#sales/invoices/sterling.ts'

/** Who may see each list; nobody else hears that something waits there. */
const SEES: Readonly<Record<AlertList, Permission>> = {
  applications: 'applications.see',
  cancellations: 'payments.see',
  checks: 'shop.see',
  'dispute-hints': 'disputes.see',
  disputes: 'disputes.see',
  jobs: 'jobs.see',
  nodes: 'nodes.see',
  payments: 'payments.see',
  rates: 'books.see',
  'record-checks': 'record.see',
  connections: 'connections.see',
  'sealed-rows': 'connections.see',
  settlement: 'books.see',
  'sterling-rates': 'books.see',
  support: 'conversations.see',
  'unknown-payments': 'payments.see',
  webhooks: 'webhooks.see',
  withdrawals: 'withdrawals.see',
}

/** Many consoles ask at once, and the answer is the same for a moment. */
const KEPT_MS = 5_000

const byCurrency = (sums: readonly Sales[]) => {
  const all = new Map<string, { minor: number; count: number; back: number; refunds: number }>()
  for (const { currency, minor, count, refunded_minor, refunds } of sums) {
    const one = all.get(currency) ?? { minor: 0, count: 0, back: 0, refunds: 0 }
    all.set(currency, {
      minor: one.minor + minor,
      count: one.count + count,
      back: one.back + refunded_minor,
      refunds: one.refunds + refunds,
    })
  }
  return [...all].map(([currency, { minor, count, back, refunds }]) => ({
    sold: { minor, currency },
    count,
    back: { minor: back, currency },
    refunds,
  }))
}

/** The same time of the day, so many days before: days of London may have an hour more or less. */
const before = (at: Date, days: number) => {
  const from = dayAfter(at, -days)
  return { from, to: new Date(from.getTime() + (at.getTime() - dayAfter(at, 0).getTime())) }
}

type Sold = { day: string; currency: CurrencyCode; minor: number }

/** In pence, at the rate that the books have for the day; undefined where they have none. */
const inPence = ({ day, currency, minor }: Sold, rates: SterlingRates): number | undefined => {
  if (currency === 'GBP') return minor
  const rate = sterlingRateOn(rates, currency, day)
  return rate && convertBack(minor, rate.rateMicro)
}

const penceOf = async (db: Db, rates: SterlingRates, { from, to }: { from: Date; to: Date }) => {
  let pence = 0
  for (const sold of await soldByDay(db, from, to)) {
    const more = inPence(sold, rates)
    if (more === undefined) return null
    pence += more
  }
  return pence
}

const salesOf = async (db: Db, { from, to }: { from: Date; to: Date }) =>
  byCurrency(await sumSalesBetween({ db }, from, to))

const readToday = async ({ db }: With<'db'>, at: Date) => {
  const report = await getOverviewReport({ db }, at)
  const today = londonPeriods(at).today
  const rates = await readSterlingRates(db)
  const [yesterday, weekAgo] = [before(at, 1), before(at, 7)]
  return {
    at: at.toISOString(),
    revenue: {
      pounds: {
        today: await penceOf(db, rates, { from: today, to: at }),
        yesterday: await penceOf(db, rates, yesterday),
        weekAgo: await penceOf(db, rates, weekAgo),
      },
      today: byCurrency(report.sales.find(({ period }) => period === 'today')?.sums ?? []),
      yesterday: await salesOf(db, yesterday),
      weekAgo: await salesOf(db, weekAgo),
      sales: report.sales.flatMap(({ period, sums }) =>
        sums.map(({ method, currency, minor, count, refunded_minor, refunds }) => ({
          period,
          method,
          sold: { minor, currency },
          count,
          back: { minor: refunded_minor, currency },
          refunds,
        })),
      ),
    },
    orders: await countOrdersSince(db, today),
    active: report.active,
    nodes: report.nodes,
    jobs: report.jobs,
    disputes: report.disputes,
    backedUpAt: (await lastBackup({ db }))?.toISOString() ?? null,
    alerts: report.alerts,
  }
}

const STEPS: Readonly<Record<SalesStep, number>> = { day: 30, week: 26, month: 12 }

/** When the last steps begin, in London, the oldest first. */
const stepsUpTo = (at: Date, step: SalesStep): Date[] => {
  const { today, week, month } = londonPeriods(at)
  const count = STEPS[step]
  return Array.from({ length: count }, (_, back) => {
    if (step === 'day') return dayAfter(today, -back)
    if (step === 'week') return dayAfter(week, -7 * back)
    // From the middle of a month, so many months of 30.44 days before lies in the one that is meant.
    return londonPeriods(new Date(month.getTime() + 14 * DAY_MS - back * 30.44 * DAY_MS)).month
  }).reverse()
}

const nameOf = (by: SalesPart, key: string): string => {
  if (by === 'method') return METHOD_NAMES[key as PaymentMethod]
  return key || 'Calculator'
}

const readSales = async (db: Db, step: SalesStep, by: SalesPart, at: Date) => {
  const steps = stepsUpTo(at, step)
  const rates = await readSterlingRates(db)
  const places = by === 'plan' ? await listPlanNames(db) : []
  const missing = new Set<string>()
  const lines = new Map<
    string,
    { key: string; name: string; place: number; sold: number[]; counts: number[] }
  >()
  for (const row of await salesBySteps(db, { step, by, since: steps[0] ?? at })) {
    const position = steps.findIndex((begins) => begins.getTime() === row.step.getTime())
    if (position < 0) continue
    const pence = inPence(row, rates)
    if (pence === undefined) {
      missing.add(row.currency)
      continue
    }
    const { key } = row
    const line = lines.get(key) ?? {
      key,
      name: nameOf(by, key),
      place: places.indexOf(key) + 1,
      sold: steps.map(() => 0),
      counts: steps.map(() => 0),
    }
    line.sold.splice(position, 1, (line.sold[position] ?? 0) + pence)
    line.counts.splice(position, 1, (line.counts[position] ?? 0) + row.count)
    lines.set(key, line)
  }
  return {
    steps: steps.map((begins) => begins.toISOString()),
    lines: [...lines.values()],
    missing: [...missing],
  }
}

/** Answers the same for a moment, and asks once however many want to know. */
const keptFor = <T>(ms: number) => {
  const kept = new Map<string, { until: number; answer: Promise<T> }>()
  return (key: string, read: () => Promise<T>): Promise<T> => {
    const now = performance.now()
    const known = kept.get(key)
    if (known && known.until > now) return known.answer
    const answer = read()
    kept.set(key, { until: now + ms, answer })
    answer.catch(() => kept.delete(key))
    return answer
  }
}

const warningOfRoom = (db: Db): string[] =>
  isDatabaseFull(db) ? ['The database’s disk is full: nobody can buy. Make room there now.'] : []

const warningOfSilence = async (db: Db): Promise<string[]> => {
  const silence = await findSilence(db)
  return silence && silence.failed >= SILENT_AFTER
    ? [
        `${GATEWAY_TITLES[silence.gateway]} has not answered since ${formatUkTime(silence.since)}: new card payments go to the second gateway`,
      ]
    : []
}

export const todayRoutes = (
  app: FastifyInstance | LocalCalls,
  deps: With<'db'>,
  warnings: readonly string[] = [],
): void => {
  const keepToday = keptFor<Awaited<ReturnType<typeof readToday>>>(KEPT_MS)
  const keepSales = keptFor<Awaited<ReturnType<typeof readSales>>>(12 * KEPT_MS)

  implementForOperators(app, deps, getToday, async ({ operator }) => {
    const today = await keepToday('', () => readToday(deps, new Date()))
    return {
      ...today,
      revenue: operator.permissions.has('revenue.see') ? today.revenue : null,
      warnings: [...warnings, ...warningOfRoom(deps.db), ...(await warningOfSilence(deps.db))],
      alerts: today.alerts.filter(({ list }) => operator.permissions.has(SEES[list])),
    }
  })

  implementForOperators(app, deps, getSales, ({ query: { step, by } }) =>
    keepSales(`${step} ${by}`, () => readSales(deps.db, step, by, new Date())),
  )
}
