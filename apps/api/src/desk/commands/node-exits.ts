import { plainAddress } from '@hedgerow/domain/networks'
import { exitFault } from '@hedgerow/domain/node-places'
import { type Command, InvalidArgumentError } from 'commander'
import { presentNode } from '#desk/presentation/present-node.ts'
import { changes } from '#desk/tool/classes.ts'
import { nodeNamed } from '#desk/tool/find-node.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { nameExits } from '#network/nodes/nodes.service.ts'

const MOST = 16

const readExit = (text: string, others: readonly string[] = []): string[] => {
  const fault = exitFault(text)
  if (fault) throw new InvalidArgumentError(fault)
  if (others.length >= MOST) throw new InvalidArgumentError(`At most ${MOST} addresses can be given.`)
  return [...new Set([...others, plainAddress(text)])]
}

const exits = (name: string, { address = [], json }: { address?: string[]; json?: true }) =>
  withDatabase(async (db) => {
    const { id } = await nodeNamed(db, name)
    if (!(await nameExits({ db }, id, address))) throw new Refusal(`${name} was removed a moment ago.`)
    if (json) return sayJson({ node: presentNode(await nodeNamed(db, name)) })
    say(
      address.length > 0
        ? `Visitors from ${address.join(', ')} are now told that they are connected through ${name}.`
        : `No exit address is set for ${name}. Its customers are recognised by its agent’s address and its endpoint.`,
    )
  })

export const addNodeExits = (node: Command): void => {
  changes(node.command('exits'))
    .description(
      'Set the addresses that a node’s customers appear from, where they differ from its agent’s. The page Am I protected? recognises customers by them.',
    )
    .argument('<name>', 'the name of the node')
    .option('--address <ip>', 'one address; repeat it for more; removes all of them if left out', readExit)
    .addOption(JSON_OPTION)
    .action(exits)
}
