import { type AlertList, getSales, getToday } from '@hedgerow/contract/console/today'
import { DAY_MS, dayAfter, formatUkTime, londonPeriods } from '@hedgerow/domain/dates'
import { GATEWAY_TITLES } from '@hedgerow/domain/gateways'
import type { Permission } from '@hedgerow/domain/operator-roles'
import { METHOD_NAMES, type PaymentMethod } from '@hedgerow/domain/payment-methods'
import type { FastifyInstance } from 'fastify'
import { lastBackup } from '#care/backup/last-backup.ts'
import { getOverviewReport, type Sales, sumSalesBetween } from '#care/overview/overview.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { countOrdersSince, type SalesPart, type SalesStep, salesBySteps } from '#desk/today/today.queries.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { findSilence, SILENT_AFTER } from '#platform/running-settings/running-settings.ts'

/** Who may see each list; nobody else hears that something waits there. */
const SEES: Readonly<Record<AlertList, Permission>> = {
  applications: 'applications.see',
  cancellations: 'payments.see',
  'dispute-hints': 'disputes.see',
  disputes: 'disputes.see',
  jobs: 'jobs.see',
  nodes: 'nodes.see',
  payments: 'payments.see',
  rates: 'books.see',
  'record-checks': 'record.see',
  'sealed-rows': 'connections.see',
  settlement: 'books.see',
  'sterling-rates': 'books.see',
  support: 'conversations.see',
  'unknown-payments': 'payments.see',
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

const salesOf = async (db: Db, { from, to }: { from: Date; to: Date }) =>
  byCurrency(await sumSalesBetween({ db }, from, to))

const readToday = async ({ db }: With<'db'>, at: Date) => {
  const report = await getOverviewReport({ db }, at)
  const today = londonPeriods(at).today
  return {
    at: at.toISOString(),
    today: byCurrency(report.sales.find(({ period }) => period === 'today')?.sums ?? []),
    yesterday: await salesOf(db, before(at, 1)),
    weekAgo: await salesOf(db, before(at, 7)),
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

const nameOf = (by: SalesPart, name: string): string =>
  by === 'method' ? METHOD_NAMES[name as PaymentMethod] : name

const readSales = async (db: Db, step: SalesStep, by: SalesPart, at: Date) => {
  const steps = stepsUpTo(at, step)
  const found = await salesBySteps(db, { step, by, since: steps[0] ?? at })
  const lines = new Map<string, { name: string; currency: string; sold: number[]; counts: number[] }>()
  for (const row of found) {
    const position = steps.findIndex((begins) => begins.getTime() === row.step.getTime())
    if (position < 0) continue
    const key = `${row.name} ${row.currency}`
    const line = lines.get(key) ?? {
      name: nameOf(by, row.name),
      currency: row.currency,
      sold: steps.map(() => 0),
      counts: steps.map(() => 0),
    }
    line.sold.splice(position, 1, row.minor)
    line.counts.splice(position, 1, row.count)
    lines.set(key, line)
  }
  return { steps: steps.map((begins) => begins.toISOString()), lines: [...lines.values()] }
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
      warnings: [...warnings, ...(await warningOfSilence(deps.db))],
      alerts: today.alerts.filter(({ list }) => operator.permissions.has(SEES[list])),
    }
  })

  implementForOperators(app, deps, getSales, ({ query: { step, by } }) =>
    keepSales(`${step} ${by}`, () => readSales(deps.db, step, by, new Date())),
  )
}
