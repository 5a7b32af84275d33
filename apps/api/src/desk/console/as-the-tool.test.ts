import * as endpoints from '@hedgerow/contract/console/endpoints'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { pathOf } from '#desk/tool/acting.ts'
import { classOf } from '#desk/tool/classes.ts'
import { buildProgram } from '#ops.ts'

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)

/**
 * What has to work when nothing else does, or before the shop can; and what needs keys that only settings hold, or reads those of
 * another server.
 */
const THE_TOOLS_ALONE = [
  'backup',
  'restore',
  'restored',
  'migrate',
  'key rotate',
  'key replace-lost',
  'audit accept',
  'import csv',
  'import undo',
  'import wg-easy',
  'import wg-quick',
]

const recorded = new Set(
  Object.values<unknown>(endpoints)
    .filter((one): one is OperatorEndpoint => typeof one === 'object' && one !== null && 'record' in one)
    .flatMap(({ record }) => (typeof record === 'object' && 'changes' in record ? [record.changes] : [])),
)

test('what the tool can change, the console can, but for backup, restore and migration', async () => {
  const missing = leavesOf(await buildProgram())
    .filter((command) => classOf(command) === 'changes')
    .map(pathOf)
    .filter((path) => !THE_TOOLS_ALONE.includes(path))
    .filter((path) => !recorded.has(path))
  expect(missing).toEqual([])
})
