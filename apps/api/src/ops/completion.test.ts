import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runOps } from '@hedgerow/testing/ops'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)

const scriptFor = async (shell: string): Promise<string> => {
  const { out, code } = await runOps({}, 'completion', shell)
  expect(code).toBe(0)
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-completion-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, `ops.${shell}`)
  await writeFile(file, out)
  return file
}

/** What bash offers at the end of a line, by the function that it has been given for ops. */
const offered = async (file: string, line: string): Promise<string[]> => {
  const program = `source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    complete -p ops | grep -q _ops_complete && _ops_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['-uc', program, 'bash', file, ...line.split(' ')])
  return stdout.split('\n').filter(Boolean)
}

test('bash completes commands, options and what they may be', async () => {
  const file = await scriptFor('bash')
  expect(await offered(file, 'ops pay')).toEqual(['payment'])
  expect(await offered(file, 'ops ')).toEqual(
    expect.arrayContaining(['overview', 'customer', 'node', 'restore']),
  )
  expect(await offered(file, 'ops --')).toEqual(['--help'])
  expect(await offered(file, 'ops overview ')).toContain('--json')
  expect(await offered(file, 'ops support show ')).toEqual([])
  expect(await offered(file, 'ops application set 7e5d73ad ')).toEqual(['talking', 'accepted', 'refused'])
  expect(await offered(file, 'ops application list --state t')).toEqual(['talking'])
  expect(await offered(file, 'ops restore /etc/hostn')).toEqual(['/etc/hostname'])
  expect(await offered(file, 'ops node dr')).toEqual(['drain'])
  expect(await offered(file, 'ops node --help dr')).toEqual(['drain'])
  expect(await offered(file, 'ops connection move 123 --')).toEqual(['--to', '--yes', '--json', '--help'])
  expect(await offered(file, 'ops connection move --to drain --y')).toEqual(['--yes'])
  expect(await offered(file, 'ops payment list --only refund-')).toEqual(['refund-by-hand', 'refund-refused'])
  expect(await offered(file, 'ops completion z')).toEqual(['zsh'])
  expect(await offered(file, 'ops nothing-like-it x')).toEqual([])
  expect(await offered(file, 'ops customer export ada --out /etc/hostn')).toEqual(['/etc/hostname'])
})

const isInstalled = async (shell: string) =>
  run(shell, ['--version']).then(
    () => true,
    () => false,
  )

test.each(['zsh', 'fish'])('%s takes its script', async (shell) => {
  const file = await scriptFor(shell)
  if (!(await isInstalled(shell))) return
  await run(shell, ['-n', file])
})

test('knows no other shell', async () => {
  const { code, err } = await runOps({}, 'completion', 'tcsh')
  expect(err).toMatch(/^error: .* Allowed choices are bash, zsh, fish\./)
  expect(code).toBe(2)
})
