import { poolSize } from '@hedgerow/domain/addresses'
import { LEAST_FREE_PART } from '@hedgerow/domain/nodes'
import { numberChanges } from '#network/agents/agents.queries.ts'
import { driveUpgrades } from '#network/agents/upgrades.service.ts'
import { recordMinute } from '#network/nodes/node-days.queries.ts'
import { type ListedNode, listNodes } from '#network/nodes/node-facts.queries.ts'
import {
  claimLowPool,
  claimRecoveredNodes,
  claimSilent,
  clearLowPool,
  closeOldPorts,
  forgetRemoved,
  forgetUsedTwice,
  holdOverdue,
  listUnnotifiedNodes,
  noteLook,
  refreshLoads,
} from '#network/nodes/node-watch.queries.ts'
import { freeOf } from '#network/nodes/nodes.service.ts'
import { removeReplaced } from '#network/nodes/peers.ts'
import type { Db } from '#platform/database/client.ts'
import { inSlices } from '#platform/database/slices.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { runAllSteps } from '#platform/queue/run-all-steps.ts'

/** Once when a node falls silent, once when it is back. */
const mailSilentNodes = async ({ db, log }: With<'db'> & Partial<With<'log'>>): Promise<void> => {
  await noteLook(db)
  const { silent, back } = await db.transaction().execute(async (trx) => {
    const silent = await claimSilent(trx)
    const back = await claimRecoveredNodes(trx)
    for (const nodeId of silent) await addJob(trx, 'mail-node-down', { nodeId })
    for (const nodeId of back) await addJob(trx, 'mail-node-back', { nodeId })
    return { silent, back }
  })
  for (const nodeId of silent) log?.warn({ nodeId }, 'a node is down')
  for (const nodeId of back) log?.info({ nodeId }, 'a node is up again')
}

const lookAtPool = async (db: Db, node: ListedNode): Promise<void> => {
  const isLow = freeOf(node, node.load) < poolSize(node) * LEAST_FREE_PART
  if (!isLow && node.low_notified_at) await clearLowPool(db, node.id)
  if (!isLow) return
  await db.transaction().execute(async (trx) => {
    if (await claimLowPool(trx, node.id)) await addJob(trx, 'mail-pool-low', { nodeId: node.id })
  })
}

const mailFullPools = async (db: Db): Promise<void> => {
  const open = (await listNodes(db)).filter(({ is_open }) => is_open)
  await runAllSteps(open.map((node) => () => lookAtPool(db, node)))
}

const removeOverdue = (db: Db): Promise<void> =>
  inSlices((rows) =>
    db.transaction().execute(async (trx) => {
      const overdue = await holdOverdue(trx, rows)
      if (overdue.length > 0) await removeReplaced(trx, overdue)
      return overdue.length
    }),
  )

const notifyNodes = async (db: Db): Promise<void> => {
  const nodes = await listUnnotifiedNodes(db)
  await runAllSteps(nodes.map((nodeId) => () => numberChanges(db, nodeId, 0)))
}

/** The recurring job for nodes: their loads, how they are, mails to their operator, and peers whose time is over. */
export const maintainNodes = ({ db, log }: With<'db'> & Partial<With<'log'>>): Promise<void> =>
  runAllSteps([
    () => refreshLoads(db),
    () => mailSilentNodes({ db, log }),
    () => recordMinute(db),
    () => mailFullPools(db),
    () => removeOverdue(db),
    () => closeOldPorts(db),
    () => forgetUsedTwice(db),
    () => notifyNodes(db),
    () => driveUpgrades({ db }),
    () => forgetRemoved(db),
  ])
