import { formatDateTime } from '@hedgerow/domain/dates'
import type { Command } from 'commander'
import { ask } from '#desk/tool/ask.ts'
import { changes } from '#desk/tool/classes.ts'
import { JSON_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayAside, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { withKeys } from '#desk/tool/with-keys.ts'
import { drainNode, findRemovedNode, getNodeReport } from '#network/nodes/nodes.service.ts'
import { countLiveOn, moveAway, removeNode } from '#network/nodes/remove-node.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { Db } from '#platform/database/client.ts'

type Options = { move?: true; yes?: true; json?: true }

type Outcome = { outcome: 'removed' | 'removed-before' | 'stays'; moved: number; noRoom: string[] }

const connections = (count: number) => (count === 1 ? '1 live connection' : `${count} live connections`)

const tell = (name: string, { outcome, moved, noRoom }: Outcome, json: boolean | undefined): void => {
  if (json) sayJson({ outcome, moved, noRoom })
  if (outcome === 'stays')
    throw new Refusal(
      `${moved} moved; ${noRoom.length} found no room elsewhere: ${noRoom.slice(0, 10).join(', ')}${noRoom.length > 10 ? ' …' : ''}. ${name} is drained but not removed. Make room, then run the same command again.`,
    )
  if (json) return
  const of = moved > 0 ? ` ${moved} of its connections were moved, and their customers get a mail.` : ''
  say(`${name} is removed.${of}`)
}

/** The node of the name; undefined when it was removed before, which is said. */
const nodeToRemove = async (db: Db, name: string, json: boolean | undefined) => {
  const node = await getNodeReport({ db }, name)
  if (node) return node
  const removedAt = await findRemovedNode({ db }, name)
  if (!removedAt) throw new Refusal(`There is no node ${name}. To list them: node list`)
  if (json) sayJson({ outcome: 'removed-before', moved: 0, noRoom: [] } satisfies Outcome)
  else say(`${name} was removed on ${formatDateTime(removedAt)}.`)
  return undefined
}

const inUse = (name: string, live: number) =>
  new Refusal(`${name} has ${connections(live)}. To move them to other nodes first, add --move.`)

const removeEmpty = (name: string, { yes, json }: Options) =>
  withDatabase(async (db) => {
    const node = await nodeToRemove(db, name, json)
    if (!node) return
    const live = await countLiveOn({ db }, node.id)
    if (live > 0) throw inUse(name, live)
    await ask(`Remove ${name} and its addresses? Its agent is refused from then on.`, yes)
    const still = await removeNode({ db }, node.id)
    if (still > 0) throw inUse(name, still)
    tell(name, { outcome: 'removed', moved: 0, noRoom: [] }, json)
  })

/** Moves all until nobody is left, or those that are left find no room. */
const clear = async (
  deps: { db: Db; keyCipher: KeyCipher },
  nodeId: string,
  onMoved: (moved: number) => void,
): Promise<Outcome> => {
  let moved = 0
  for (;;) {
    const noRoom: string[] = []
    for await (const { connection, outcome } of moveAway(deps, nodeId)) {
      if (outcome === 'no-room') noRoom.push(connection.id)
      else onMoved(++moved)
    }
    if (noRoom.length > 0) return { outcome: 'stays', moved, noRoom }
    // Some may have come while the node was being drained.
    if ((await removeNode(deps, nodeId)) === 0) return { outcome: 'removed', moved, noRoom }
  }
}

const removeWithMove = (name: string, { yes, json }: Options) =>
  withKeys(async (deps) => {
    const { db } = deps
    const node = await nodeToRemove(db, name, json)
    if (!node) return
    const live = await countLiveOn({ db }, node.id)
    await ask(
      `Remove ${name} and move its ${connections(live)} to other nodes? They get new keys there, which their customers have to import.`,
      yes,
    )
    await drainNode({ db }, node.id)
    let soFar = 0
    const saySoFar = () =>
      sayAside(`Interrupted. ${soFar} moved so far. To continue, run the same command again.`)
    toolRun().signals.once('SIGINT', saySoFar)
    const outcome = await clear(deps, node.id, (moved) => {
      soFar = moved
      if (toolRun().stderr.isTTY) toolRun().stderr.write(`\r${moved} of ${live} moved `)
    })
    process.off('SIGINT', saySoFar)
    if (toolRun().stderr.isTTY && soFar > 0) toolRun().stderr.write('\n')
    tell(name, outcome, json)
  })

/** No call: it moves connections until none is left, which takes longer than a call may, and says how far it is. */
export const addNodeRemove = (node: Command): void => {
  changes(node.command('remove'), 'customers')
    .description('Remove a node that has no live connections. Its name may be used again.')
    .argument('<name>', 'the name of the node')
    .option('--move', 'move its connections to other nodes first; their customers get a mail')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action((name: string, options: Options) =>
      options.move ? removeWithMove(name, options) : removeEmpty(name, options),
    )
}
