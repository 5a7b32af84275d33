import type { Layout } from './layout.ts'
import type { Measured } from './measured.ts'

/**
 * All that nobody has measured, in one place. Prices are pounds a month without VAT, as European hosts listed them in 2026
 * (docs/scale.md says how far apart they are); each figure may be replaced by your own.
 */
export const PRICES = {
  /** Eight cores, 64 GB, two NVMe disks. */
  machine: 70,
  /** Four cores with a port of 1 Gbit/s whose traffic is not counted. */
  node: 45,
  /** Backups and write-ahead log, for a terabyte. */
  storageTb: 6,
  loadBalancer: 8,
} as const

/** How customers' purchases are spread. */
export const BUYING = {
  /** Each buys once in so many days, as the shop sells thirty days most. */
  everyDays: 30,
  connections: 3,
  /** Parts of a day's purchases that fall into each hour, from midnight on: an evening's business. */
  byHour: [
    2.2, 1.4, 1, 0.8, 0.8, 1, 1.6, 2.6, 3.6, 4.2, 4.6, 4.8, 5, 4.9, 4.8, 4.9, 5.2, 5.8, 6.6, 7.4, 8, 7.6, 6.4,
    4.8,
  ],
} as const

/** What a node of 1 Gbit/s carries. */
export const NODE = {
  mbits: 1_000,
  /** The share of what was bought that is used in the busiest hour, and what one takes then. */
  busyShare: 0.25,
  busyMbits: 1.5,
  /** wireguard-go takes no more (docs/node.md). */
  mostPeers: 65_535,
} as const

/** Between two questions of an agent while nothing changes (packages/contract/src/agents.ts, LONGEST_WAIT_S). */
export const AGENT_EVERY_MS = 30_000

/** PostgreSQL's own default, three of them its superuser's; and what a process opens (docs/running.md#database). */
export const CONNECTIONS = { most: 97, perProcess: 23 } as const

/** What people wait for a press without doubt; beyond it the shop counts as full. */
export const MOST_MS = 1_000

/** A way between machines of one building, and between regions, there and back. */
const WAYS = { building: 0.3, regions: 15 } as const

/** A standby that a commit waits for writes to its own disk as fast as the leader does. */
const withStandby = ({ commit }: Measured, wayMs: number): number => 2 * commit.aloneMs + wayMs

const EIGHT = 8

export const layouts = (measured: Measured) => {
  const one: Layout = {
    name: 'one machine',
    machines: 1,
    cores: EIGHT,
    processes: 4,
    hasOwnDatabase: false,
    networkMs: 0.05,
    commitMs: measured.commit.aloneMs,
    inProduction: true,
    servesFiles: false,
  }
  const oneWithFiles: Layout = { ...one, name: 'one machine, nginx serves files', servesFiles: true }
  const three: Layout = {
    ...one,
    name: 'three machines',
    machines: 2,
    processes: 12,
    hasOwnDatabase: true,
    networkMs: WAYS.building,
    commitMs: withStandby(measured, WAYS.building),
    servesFiles: true,
  }
  const apart: Layout = {
    ...three,
    name: 'three machines, standby in another region',
    commitMs: withStandby(measured, WAYS.regions),
  }
  return { one, oneWithFiles, three, apart }
}
