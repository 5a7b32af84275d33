import { readdir, readFile } from 'node:fs/promises'
import type { Argument, Command, Option } from 'commander'
import { describe, expect, test } from 'vitest'
import { pathOf } from '#desk/tool/acting.ts'
import { classOf, consequenceOf } from '#desk/tool/classes.ts'
import { buildProgram } from '#ops.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)

const COMMANDS = leavesOf(await buildProgram()).map((command) => ({ path: pathOf(command), command }))
/** What is a call of the contract is recorded as the contract says, whoever calls. */
const RECORDED = COMMANDS.filter(({ command }) => !['reads', 'itself'].includes(classOf(command) ?? ''))

/** Commands whose record cannot be tried like this, each with the reason. */
const TRIED_ELSEWHERE: Readonly<Record<string, string>> = {
  backup: 'writes a file (backup.test.ts)',
  restore: 'wants an empty database (restore.test.ts)',
}

/** Commands that want one of their options, whichever. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  'plan change': ['--price', '4.25'],
  'layer change': ['--place', '7'],
  'node upgrade': ['--all'],
  'invoice export': ['--month', '2026-01'],
  'settlement fetch': ['--month', '2026-01'],
}

/** Something that each kind of argument takes, and that nothing in a new shop is called. */
const WORDS = [
  '00000000-0000-4000-8000-000000000000',
  'EUR',
  'GBP',
  '4.25',
  '7',
  'vpn:51820',
  '2026-11-01',
  '10.9.0.0/24',
  'fd9::/64',
  'Europe/London',
  '2026-01',
  '2026-01-31',
  '2026-01-31T12:00:00Z',
  '31 days',
  'talking',
  'decline',
  'owner',
]

const wordFor = (taker: Argument | Option): string => {
  const taken = WORDS.find((word) => {
    try {
      // The parser of an argument that is required has no former value.
      taker.parseArg?.(word, undefined as never)
      return true
    } catch {
      return false
    }
  })
  if (!taken)
    throw new Error(`Add to WORDS one that ${taker.name()} takes, or its command to TRIED_ELSEWHERE.`)
  return taken
}

const typed = (command: Command): string[] => [
  ...command.registeredArguments.filter(({ required }) => required).map(wordFor),
  ...command.options
    .filter(({ mandatory }) => mandatory)
    .flatMap((option) => [option.long ?? '', wordFor(option)]),
  ...command.options.filter(({ long }) => long === '--yes').map(() => '--yes'),
]

const shop = shopOfFile()

describe('every command of the tool', () => {
  test.each(COMMANDS)('$path says whether it changes or opens something', ({ path, command }) => {
    expect(
      classOf(command),
      `"${path}" has no class. Wrap it where it is made: changes(group.command('…')), opens(…) where it shows whose something is or what a person told us, reads(…) else (ops/classes.ts).`,
    ).toBeDefined()
  })

  test('that changes something by itself says what it brings about', () => {
    const own = COMMANDS.filter(({ command }) => classOf(command) === 'changes')
    expect(own.map(({ path, command }) => `${path}: ${consequenceOf(command)}`).toSorted()).toEqual([
      'audit accept: access',
      'import csv: customers',
      'import undo: customers',
      'import wg-easy: customers',
      'import wg-quick: customers',
      'key replace-lost: access',
      'key rotate: access',
      'migrate: stays',
      'node remove: customers',
      'node upgrade: access',
      'payment adopt: money',
      'restore: access',
      'restored: access',
    ])
  })

  test.each(RECORDED.filter(({ path }) => !(path in TRIED_ELSEWHERE)))(
    '$path leaves a record, whatever comes of it',
    async ({ path, command }) => {
      const { err } = await runOps(
        { ...opsSettings(shop), ...shop.env },
        ...path.split(' '),
        ...typed(command),
        ...(WANTED[path] ?? []),
      )
      const rows = await shop.db.selectFrom('operator_actions').selectAll().execute()
      const left = rows.filter((row) => row.command === path)
      expect(
        left.map(({ outcome }) => outcome),
        `"${path}" left no record. It has to work through withDatabase or withKeys. It said: ${err}`,
      ).toEqual([expect.stringMatching(/^(done|refused)$/)])
    },
  )

  test('comes to the database by no other way', async () => {
    const folder = new URL('.', import.meta.url)
    for (const file of await readdir(folder)) {
      if (file === 'with-database.ts' || file.endsWith('.test.ts')) continue
      expect(await readFile(new URL(file, folder), 'utf8'), file).not.toMatch(/openDatabase\b/)
    }
  })
})
