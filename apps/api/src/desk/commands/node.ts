import * as nodes from '@hedgerow/contract/console/nodes'
import type { Command } from 'commander'
import { addNodeRemove } from '#desk/commands/node-remove.ts'
import { addNodeUpgrade } from '#desk/commands/node-upgrade.ts'
import { nodesRoutes } from '#desk/nodes/nodes.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addNode = (program: Command): void => {
  const { clearConsoleNode: _, removeConsoleNode: __, upgradeConsoleNode: ___, ...calls } = nodes
  const node = addCalls(program, {
    name: 'node',
    summary: 'VPN servers',
    description: 'The VPN servers that connections run on.',
    contract: [calls],
    answer: nodesRoutes,
  })
  addNodeRemove(node)
  addNodeUpgrade(node)
}
