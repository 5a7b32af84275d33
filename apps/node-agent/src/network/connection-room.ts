import { totalmem } from 'node:os'
import { raiseLimit } from '#network/kernel-settings.ts'

const TABLE_LENGTH = 'netfilter/nf_conntrack_max'
/** What kernels take on small machines. The setting is there only once a rule has asked for connections to be tracked. */
const SHORTEST_TABLE = 65_536

/**
 * The kernel keeps one table of connections for all. Most of it is the customers', the rest is left to the node
 * itself, so that they cannot fill it: a full table drops what is new, whoever it is from, and throws out what has had
 * no answer yet.
 */
const CUSTOMERS_SHARE = 0.8
/** As much of the memory as the table may take, and what an entry takes of it. */
const SHARE_OF_MEMORY = 1 / 8
const ENTRY_BYTES = 512
const FAMILIES = 2

/** Browsers and downloads need a few hundred. */
const MOST_AT_ONCE = 4_000
const FEWER_AT_ONCE = [2_000, 1_000] as const
const LEAST_AT_ONCE = 500

/** Returns how long the table should be at least, on a machine with so much memory. */
export const lengthFor = (memoryBytes: number): number =>
  Math.floor((memoryBytes * SHARE_OF_MEMORY) / ENTRY_BYTES)

/**
 * Returns how many connections a customer may have over IPv4, and as many over IPv6: so many that all can have them
 * at the same time, but never too few to work with. In steps, so that the rules change seldom.
 */
export const connectionsAtOnce = (tableLength: number, customers: number): number =>
  [MOST_AT_ONCE, ...FEWER_AT_ONCE].find(
    (each) => each * FAMILIES * customers <= tableLength * CUSTOMERS_SHARE,
  ) ?? LEAST_AT_ONCE

/** Makes the kernel's table as long as memory allows, where that may be done (not in a container), and returns its length. */
export const ensureTableLength = async (): Promise<number> =>
  (await raiseLimit(TABLE_LENGTH, lengthFor(totalmem()))) ?? SHORTEST_TABLE
