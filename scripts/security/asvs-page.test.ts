import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { faultsOf, type ReadFile } from './asvs-page.ts'
import { REQUIREMENTS } from './asvs-requirements.ts'

const SCRIPT = fileURLToPath(new URL('../asvs.ts', import.meta.url))

const FILES: Record<string, string> = {
  'apps/api/src/doors.test.ts': `
    test('a door is shut', () => {})
    test.each([1, 2])(
      "the owner's door %i opens",
      () => {},
    )`,
  'docs/doors.md': '# Doors\n\n## Which `doors` there are, and why\n',
}
const readFile: ReadFile = (path) => FILES[path]
const requirements = new Map([
  ['1.1.1', 1],
  ['1.2.1', 2],
  ['1.2.10', 2],
])

const GOOD = [
  "| 1.1.1 | 1 | doors are shut | [doors.test.ts](/apps/api/src/doors.test.ts) *a door is shut*, *the owner's door %i opens* |",
  '| 1.2.1 | 2 | windows | Does not apply: no windows |',
  '| 1.2.10 | 2 | doors are listed | Not met: some are not ([doors.md](/docs/doors.md#which-doors-there-are-and-why)) |',
]
const TALLY = '**1 met, 1 does not apply, 1 not met**'

/** What is said of the page where one of its rows is another, or is followed by others. */
const faultsWith = (row: number, ...instead: string[]) => {
  const rows = GOOD.with(row, instead.join('\n'))
  return faultsOf(`# Page\n\n${TALLY}\n\n${rows.join('\n')}\n`, { requirements, readFile })
}
const first = (text: string, level = 1) => faultsWith(0, `| 1.1.1 | ${level} | doors are shut | ${text} |`)

describe('the page of requirements', () => {
  test('has no fault where each is answered once by what is there', () => {
    expect(faultsWith(0, GOOD[0] ?? '')).toEqual([])
  })

  test('reports a number that is missing, comes twice, or was never asked for', () => {
    expect(faultsWith(0)).toEqual([
      '1.1.1: not answered',
      'the summary does not say: 0 met, 1 does not apply, 1 not met',
    ])
    expect(faultsWith(1, GOOD[1] ?? '', GOOD[1] ?? '')[0]).toBe('1.2.1: answered more than once')
    expect(faultsWith(1, GOOD[1] ?? '', '| 1.2.2 | 1 | walls | Does not apply: a tent |')[0]).toBe(
      '1.2.2: it is not asked for',
    )
  })

  test('reports a level that the standard does not give', () => {
    expect(first('[doors.md](/docs/doors.md)', 2)).toEqual(['1.1.1: it is of level 1, not 2'])
  })

  test('reports a file that is not there, and of one that is not named from the root', () => {
    expect(first('[gates.test.ts](/apps/gates.test.ts) *a door is shut*')).toEqual([
      '1.1.1: there is no file apps/gates.test.ts',
    ])
    expect(first('[doors.md](../doors.md)')).toEqual([
      '1.1.1: ../doors.md is not written from the repository’s root',
    ])
    expect(first('Not yet')).toEqual(['1.1.1: no file is named that meets it'])
  })

  test('reports a test that is not in its file, and of one that is in none', () => {
    for (const title of ['a door is open', 'a door is', 'door is shut'])
      expect(first(`[doors.test.ts](/apps/api/src/doors.test.ts) *${title}*`)).toEqual([
        `1.1.1: apps/api/src/doors.test.ts has no test "${title}"`,
      ])
    expect(first('[doors.md](/docs/doors.md) *a door is shut*')).toEqual([
      '1.1.1: "a door is shut" is not written behind the file of a test',
    ])
  })

  test('reports a heading that is not in its document', () => {
    expect(first('[doors.md](/docs/doors.md#which-doors)')).toEqual([
      '1.1.1: /docs/doors.md#which-doors leads to no heading',
    ])
  })

  test('reports a row that is not whole', () => {
    expect(faultsWith(0, '| 1.1.1 | 1 | doors |')[0]).toBe('1.1.1: the row does not have four cells')
    expect(faultsWith(0, '| 1.1.1 | 1 | doors | [a](/docs/doors.md) | more |')[0]).toBe(
      '1.1.1: the row does not have four cells',
    )
  })

  test('may have rows that are not written to the end, as long as it is allowed', () => {
    const tally = '**0 met, 1 does not apply, 1 not met, 1 pending**'
    const page = [tally, `${GOOD[0]} <!-- pending -->`, ...GOOD.slice(1)].join('\n')
    expect(faultsOf(page, { requirements, readFile, mayPend: true })).toEqual([])
    expect(faultsOf(page, { requirements, readFile })).toEqual(['1.1.1: pending'])
  })

  test('says what its summary should be', () => {
    const page = `**2 met, 1 does not apply, 0 not met**\n${GOOD.join('\n')}`
    expect(faultsOf(page, { requirements, readFile })).toEqual([
      'the summary does not say: 1 met, 1 does not apply, 1 not met',
    ])
  })
})

test('the requirements are those of levels 1 and 2, and two of level 3', () => {
  const count = (level: number) => [...REQUIREMENTS.values()].filter((one) => one === level).length
  expect([1, 2, 3].map(count)).toEqual([70, 183, 2])
})

test('the script names each fault of the page that we have, and what it does not know', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' })
  expect(run()).toMatchObject({ status: 0, stderr: '' })
  const pending = readFileSync(new URL('../../docs/security/asvs.md', import.meta.url), 'utf8').match(
    /<!-- p/g,
  )
  const strict = run('--no-pending')
  expect(strict.status).toBe(pending ? 1 : 0)
  expect(strict.stderr.match(/: pending$/gm)?.length ?? 0).toBe(pending?.length ?? 0)
  expect(run('--fast')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^Unknown option '--fast'/),
  })
})
