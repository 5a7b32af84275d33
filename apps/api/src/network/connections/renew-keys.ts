import { isReadable } from '#network/connections/connections.present.ts'
import { findConnectionRow } from '#network/connections/connections.queries.ts'
import {
  type Announced,
  listDueOn,
  listNodesToRenewOn,
  markReminded,
  markTold,
  putOffUntold,
} from '#network/nodes/key-renewal.queries.ts'
import { replacePeer } from '#network/nodes/replace-peer.ts'
import type { Trx } from '#platform/database/client.ts'
import { inSlices } from '#platform/database/slices.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { runAllSteps } from '#platform/queue/run-all-steps.ts'

type Deps = With<'db' | 'keyCipher'>

const CUSTOMERS_AT_ONCE = 200
const CONNECTIONS_AT_ONCE = 200

/** A customer's connections are renewed one after the other, at times on several nodes: one email tells of all. */
const MAIL_AFTER_S = 600

/** Of a minute, in which nodes, buyers and other jobs want the database too. */
const RUN_MS = 10_000

const announce = (
  { db }: With<'db'>,
  job: 'mail-keys-soon' | 'mail-keys-unused',
  mark: (trx: Trx, customers: number) => Promise<Announced[]>,
) =>
  inSlices(
    (customers) =>
      db.transaction().execute(async (trx) => {
        const announced = await mark(trx, customers)
        for (const { customer_id, connection_ids } of announced)
          await addJob(trx, job, { customerId: customer_id, connectionIds: connection_ids })
        return announced.length
      }),
    { rows: CUSTOMERS_AT_ONCE },
  )

/** What it comes to. 'full': of its node no more can be renewed now. */
const renewOne = async (
  deps: Deps,
  { id, customer_id }: { id: string; customer_id: string },
): Promise<'renewed' | 'passed' | 'full'> => {
  const row = await findConnectionRow(deps.db, id)
  // Operators see that it is overdue, and give it new keys themselves.
  if (!row || !isReadable(row, deps.keyCipher)) return 'passed'
  try {
    await replacePeer(deps, id, undefined, {
      isRenewal: true,
      also: (trx) =>
        addJob(
          trx,
          'mail-keys-renewed',
          { customerId: customer_id },
          { key: `keys-renewed:${customer_id}`, inSeconds: MAIL_AFTER_S },
        ),
    })
    return 'renewed'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // Else it has ended, or got new keys meanwhile.
    return error.kind === 'location-full' ? 'full' : 'passed'
  }
}

/** Goes on after one that fails, and throws then. Each is a transaction of its own. */
const renewOn = async (deps: Deps, nodeId: string, end: number): Promise<void> => {
  const failures: unknown[] = []
  let after: { customer_id: string; id: string } | undefined
  for (;;) {
    const due = await listDueOn(deps.db, nodeId, after, CONNECTIONS_AT_ONCE)
    for (const connection of due) {
      if (performance.now() > end) break
      const outcome = await renewOne(deps, connection).catch((error: unknown) => {
        failures.push(error)
        return 'passed' as const
      })
      if (outcome === 'full') break
      after = connection
    }
    if (due.length < CONNECTIONS_AT_ONCE || after !== due.at(-1)) break
  }
  if (failures.length > 0) throw failures[0]
}

const renewDue = async (deps: Deps): Promise<void> => {
  const end = performance.now() + RUN_MS
  const nodes = await listNodesToRenewOn(deps.db)
  await runAllSteps(nodes.map((nodeId) => () => renewOn(deps, nodeId, end)))
}

/**
 * The recurring job for keys that are renewed by themselves: an email before, the new keys on their day, and another email
 * where a device has not taken them.
 */
export const renewKeys = (deps: Deps): Promise<void> =>
  runAllSteps([
    () => inSlices((rows) => deps.db.transaction().execute((trx) => putOffUntold(trx, rows))),
    () => announce(deps, 'mail-keys-soon', markTold),
    () => renewDue(deps),
    () => announce(deps, 'mail-keys-unused', markReminded),
  ])
