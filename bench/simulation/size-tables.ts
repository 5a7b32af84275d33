import { AGENT_EVERY_MS, CONNECTIONS, layouts, NODE, PRICES } from './assumptions.ts'
import {
  BUSIEST,
  bounds,
  callsPerPurchase,
  connectionsOf,
  connectionsPerNode,
  demand,
  nodesOf,
  perDay,
  perSecondOf,
  receiptsPerSecond,
  steady,
} from './capacity.ts'
import type { Layout } from './layout.ts'
import type { CallName, Measured } from './measured.ts'
import { figure, markdown, percent } from './tables.ts'

const HOUR_S = 3_600
const GIGA = 1e9

/** Few purchases are looked at for longer, an hour at most. Milliseconds. */
const lookFor = (perSecond: number): number => Math.min(HOUR_S, Math.max(60, 300 / perSecond)) * 1000

const SIZES = [20_000, 200_000, 2_000_000] as const
/** Peers stay a week as tombstones, books for years: what a purchase leaves is counted for a year. */
const DAYS_A_YEAR = 365

export const sizesTable = (measured: Measured): string => {
  const { one } = layouts(measured)
  const rows = SIZES.map((customers) => {
    const perSecond = perSecondOf(customers, BUSIEST)
    const nodes = nodesOf(customers)
    const seen = steady(measured, one, perSecond, nodes, lookFor(perSecond))
    return { customers, perSecond, nodes, seen }
  })
  type Row = (typeof rows)[number]
  const row = (what: string, of: (row: Row) => string): string[] => [what, ...rows.map(of)]
  const { bytes, walBytes } = measured.purchase
  return markdown(
    ['', ...SIZES.map((size) => `${figure(size, 3)} customers`)],
    [
      row('purchases in the busiest hour', ({ perSecond }) => figure(perSecond * HOUR_S)),
      row('purchases a second', ({ perSecond }) => figure(perSecond)),
      row('status polls a second', ({ seen }) => figure(seen.pollsPerSecond)),
      row('connections bought', ({ customers }) => figure(connectionsOf(customers))),
      row('nodes, and agents that ask', ({ nodes }) => figure(nodes, 3)),
      row('questions of agents a second', ({ nodes }) => figure((nodes * 1000) / AGENT_EVERY_MS)),
      row('one machine is busy in that hour', ({ seen }) => percent(seen.busy)),
      row('disk for a year, GB', ({ customers }) => figure((perDay(customers) * DAYS_A_YEAR * bytes) / GIGA)),
      row('write-ahead log a day, GB', ({ customers }) => figure((perDay(customers) * walBytes) / GIGA)),
      row('nodes, £ a month', ({ nodes }) => figure(nodes * PRICES.node)),
    ],
  )
}

const SHOWN_HOURS = [0, 4, 8, 12, 16, 20]
const DAY_OF = 2_000_000

export const dayTable = (measured: Measured): string => {
  const { one } = layouts(measured)
  return markdown(
    ['hour', 'purchases', 'polls/s', 'busy', 'page p99 ms', 'paid to Success p50 s'],
    SHOWN_HOURS.map((hour) => {
      const perSecond = perSecondOf(DAY_OF, hour)
      const seen = steady(measured, one, perSecond, nodesOf(DAY_OF), lookFor(perSecond))
      return [
        `${String(hour).padStart(2, '0')}:00`,
        figure(perSecond * HOUR_S),
        figure(seen.pollsPerSecond),
        percent(seen.busy),
        figure(seen.pageP99),
        figure(seen.successP50 / 1000),
      ]
    }),
  )
}

const POLLS_A_SECOND = 2
const BYTES_OF_DISK = 1e12

/** Each limit by itself, and the number at which it is reached. */
export const limitsTable = (measured: Measured): string => {
  const { calls, commit, purchase } = measured
  const { one, oneWithFiles, three, apart } = layouts(measured)
  const perProcess = (layout: Layout) => 1000 / demand(measured, layout).main
  const of = (layout: Layout, what: string) =>
    bounds(measured, layout).find((bound) => bound.what === what)?.perSecond ?? Number.NaN
  const NOTIFY = 'one notifying commit after the other'
  const rows: [string, string, string][] = [
    [
      'connections to PostgreSQL (`max_connections` 100)',
      `${Math.floor(CONNECTIONS.most / CONNECTIONS.perProcess)} processes`,
      'arithmetic',
    ],
    ['a node of 1 Gbit/s', `${figure(connectionsPerNode)} connections`, 'assumed'],
    ['wireguard-go, peers of a node', figure(NODE.mostPeers, 5), 'its source'],
    [
      'receipts by mail, two at a time in a process',
      `${figure(receiptsPerSecond(measured, { ...one, processes: 1 }))} a second and process`,
      'mail server assumed',
    ],
    [
      'log-ins of a process: two hashes at a time',
      `${figure(2_000 / calls.logIn.threads)} a second`,
      'measured',
    ],
    ['API thread, files served by the shop', `${figure(perProcess(one))} purchases a second`, 'measured'],
    [
      'API thread, files served by nginx',
      `${figure(perProcess(oneWithFiles))} purchases a second`,
      'measured',
    ],
    [
      'status polls of a process',
      `${figure(1000 / calls.poll.main)} a second: ${figure(1000 / calls.poll.main / POLLS_A_SECOND)} who wait`,
      'measured',
    ],
    [
      'agents of a process, half of its thread',
      figure((0.5 * AGENT_EVERY_MS) / calls.agentPoll.main),
      'measured',
    ],
    [
      'PostgreSQL on eight cores of its own',
      `${figure(of(three, 'processors of PostgreSQL'))} purchases a second`,
      'measured',
    ],
    [
      'notifying commits, this disk',
      `${figure(commit.notifyingPerSecond)} a second (${figure(commit.plainPerSecond)} without)`,
      'measured',
    ],
    ['notifying commits, standby in the building', `${figure(of(three, NOTIFY))} a second`, 'way assumed'],
    ['notifying commits, standby in another region', `${figure(of(apart, NOTIFY))} a second`, 'way assumed'],
    ['a terabyte of disk', `${figure(BYTES_OF_DISK / purchase.bytes / 1e6)} million purchases`, 'measured'],
  ]
  return markdown(['what', 'is full at', 'known by'], rows)
}

/** What PostgreSQL works for, of one purchase and all around it. */
export const databaseTable = (measured: Measured): string => {
  const times = callsPerPurchase(0)
  const groups: [string, CallName[]][] = [
    ['lists, profiles, payments: could be read from a replica', ['list', 'profile', 'history']],
    ['log-ins', ['logIn']],
    ['order, payment, callback, delivery', ['order', 'pay', 'outcome']],
    ['invoices and receipts: could wait in a queue of their own', ['receipt']],
    ['limits, agents', ['limit', 'agentPeer']],
  ]
  const costs = groups.map(([what, names]) => {
    const ms = names.reduce((sum, name) => sum + times[name] * measured.calls[name].database, 0)
    return { what, ms }
  })
  const all = costs.reduce((sum, { ms }) => sum + ms, 0)
  return markdown(
    ['PostgreSQL works for', 'ms a purchase', 'share'],
    costs.map(({ what, ms }) => [what, figure(ms), percent(ms / all)]),
  )
}
