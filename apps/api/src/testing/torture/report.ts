import type { Outcome } from '#testing/torture/run.ts'

const countBy = <T>(items: readonly T[], key: (item: T) => string): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(items, key)].map(([name, group]) => [name, group.length] as const).toSorted(),
  )

const MOST_SHOWN = 40

/** What happened, as lines to print. */
export const reportOf = (outcome: Outcome): string => {
  const { options, toll, history, evidence, violations, seconds, logged, struck } = outcome
  const { payments, refunds, books, mails, orders, connections, invoices, creditNotes, earnings } = evidence
  const rows: [string, unknown][] = [
    ['seed', options.seed],
    [
      'seconds of checkouts, until quiet',
      `${Math.round(seconds.checkouts)}, ${Math.round(seconds.untilQuiet)}`,
    ],
    ['checkouts, orders', `${options.checkouts}, ${orders.length}`],
    ['API processes killed, PostgreSQL restarts', `${toll.kills}, ${toll.restarts}`],
    ['faults of the gateways that struck', struck],
    ['orders by status', countBy(orders, ({ status }) => status)],
    ['payments by gateway and method', countBy(payments, ({ gateway, method }) => `${gateway} ${method}`)],
    ['payments by end', countBy(payments, ({ status }) => status)],
    ['the gateways’ books by status', countBy(books, ({ gateway, status }) => `${gateway} ${status}`)],
    [
      'settled, by gateway',
      countBy(
        books.filter(({ settled }) => settled > 0),
        ({ gateway }) => gateway,
      ),
    ],
    ['paid twice, and given back', payments.filter(({ refund_due }) => refund_due).length],
    [
      'callbacks tried, delivered',
      `${books.reduce((n, b) => n + b.callbacks.tried, 0)}, ${books.reduce((n, b) => n + b.callbacks.delivered, 0)}`,
    ],
    [
      'refunds by status',
      countBy(refunds, ({ status, is_by_hand }) => `${status}${is_by_hand ? ' (by hand)' : ''}`),
    ],
    [
      'plans that were delivered, and extended something',
      orders.filter(({ plan_id, status, renews }) => plan_id && status === 'Completed' && renews.length > 0)
        .length,
    ],
    [
      'orders delivered where they were to be, elsewhere than chosen',
      `${orders.filter((one) => one.location_id && one.delivered_location_id === one.location_id).length}, ${orders.filter((one) => one.location_is_chosen && one.delivered_location_id && one.delivered_location_id !== one.location_id).length}`,
    ],
    [
      'connections, invoices, credit notes',
      `${connections.length}, ${invoices.length}, ${creditNotes.length}`,
    ],
    ['invoices that stand in the place of another', invoices.filter(({ corrects }) => corrects).length],
    [
      'earnings, and of which something was taken back',
      `${earnings.length}, ${earnings.filter(({ due_back_minor }) => due_back_minor > 0).length}`,
    ],
    ['mails by subject', countBy(mails, ({ subject }) => subject.split(/,| \S*\d/)[0] ?? '')],
    ['customers', Object.fromEntries([...history.counts].toSorted())],
    ['logged by the API', Object.fromEntries([...logged].toSorted(([, a], [, b]) => b - a).slice(0, 12))],
  ]
  const text = rows.map(([what, value]) =>
    typeof value === 'object' && value !== null
      ? `${what}:\n${Object.entries(value)
          .map(([name, number]) => `    ${String(number).padStart(6)}  ${name}`)
          .join('\n')}`
      : `${what}: ${value}`,
  )
  const broken = violations.slice(0, MOST_SHOWN).map(({ rule, ids }) => `VIOLATION ${rule}: ${ids}`)
  const left = violations.length - broken.length
  return [
    ...text,
    ...broken,
    ...(left > 0 ? [`… and ${left} more`] : []),
    violations.length === 0 ? 'No violation.' : `${violations.length} violations (seed ${options.seed}).`,
  ].join('\n')
}
