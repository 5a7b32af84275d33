import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { pathOf } from '#desk/tool/acting.ts'
import { buildProgram } from '#ops.ts'

const allOf = (command: Command): Command[] => command.commands.flatMap((one) => [one, ...allOf(one)])

const program = await buildProgram()
const COMMANDS = allOf(program).map((command) => ({ path: pathOf(command), command }))

describe('help', () => {
  test.each(COMMANDS)('of $path says what it is for, and what each word of it means', ({ command }) => {
    expect(command.description()).toMatch(/\.$/)
    for (const argument of command.registeredArguments)
      expect(argument.description, argument.name()).not.toBe('')
    for (const option of command.options) expect(option.description, option.flags).not.toBe('')
    if (command.parent === program) expect(command.summary(), 'a line for the list of commands').not.toBe('')
  })

  // That it needs no database as a program of its own: ops.test.ts.
  test.each(COMMANDS)('of $path is shown, and ends with 0', async ({ path, command }) => {
    let shown = ''
    command.configureOutput({ writeOut: (text) => (shown += text) })
    const end = program.parseAsync([...path.split(' '), '--help'], { from: 'user' })
    await expect(end).rejects.toMatchObject({ code: 'commander.helpDisplayed', exitCode: 0 })
    expect(shown).toMatch(new RegExp(`^Usage: ops ${path}`))
  })
})
