import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { runOps } from '#testing/ops.ts'

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
  expect(await offered(file, 'ops --')).toEqual(['--version', '--help'])
  expect(await offered(file, 'ops overview ')).toContain('--json')
  expect(await offered(file, 'ops support show ')).toEqual([])
  expect(await offered(file, 'ops application set 7e5d73ad --state ')).toEqual([
    'talking',
    'accepted',
    'refused',
  ])
  expect(await offered(file, 'ops application list --state t')).toEqual(['talking'])
  expect(await offered(file, 'ops restore /etc/hostn')).toEqual(['/etc/hostname'])
  expect(await offered(file, 'ops node dr')).toEqual(['drain'])
  expect(await offered(file, 'ops node --help dr')).toEqual(['drain'])
  expect(await offered(file, 'ops connection move 123 --')).toEqual(['--to', '--yes', '--json', '--help'])
  expect(await offered(file, 'ops connection move --to drain --y')).toEqual(['--yes'])
  expect(await offered(file, 'ops payment list --only refund-')).toEqual([
    'refund-by-hand',
    'refund-refused',
    'refund-stuck',
  ])
  expect(await offered(file, 'ops completion z')).toEqual(['zsh'])
  expect(await offered(file, 'ops nothing-like-it x')).toEqual([])
  expect(await offered(file, 'ops customer export ada --out /etc/hostn')).toEqual(['/etc/hostname'])
})

/** What fish offers, by itself. */
const FISH = 'source $argv[1]; complete -C $argv[2] | cut -f1'

/** What zsh makes of a line when Tab is pressed, which it does at a terminal only. */
const ZSH = `
  zmodload zsh/zpty
  zpty inner "PS1= HOME=\${1:h} zsh -f -i"
  zpty -w inner "source \${(q)1}; told() { zle expand-or-complete; print -r -- \\"<<\\$BUFFER>>\\" }"
  zpty -w inner "zle -N told; bindkey '^I' told; print -r rea''dy"
  zpty -r inner said '*ready*'
  zpty -w -n inner "$2"$'\\t'
  zpty -r inner said '*<<*>>*'
  zpty -d inner
  print -r -- "\${\${said##*<<}%%>>*}"`

const isInstalled = async (shell: string) =>
  run(shell, ['--version']).then(
    () => true,
    () => false,
  )

const WITHOUT = {
  fish: !(await isInstalled('fish')),
  zsh: !(await isInstalled('zsh')),
}

test.skipIf(WITHOUT.fish)('fish completes commands, options, what they may be, and files', async () => {
  const file = await scriptFor('fish')
  for (const [line, words] of [
    ['ops pay', 'payment'],
    ['ops node --help dr', 'drain'],
    ['ops connection move --to drain --y', '--yes'],
    ['ops payment list --only refund-', 'refund-by-hand\nrefund-refused\nrefund-stuck'],
    ['ops restore /etc/hostn', '/etc/hostname'],
    ['ops customer export ada --out /etc/hostn', '/etc/hostname'],
    ['ops support show ', ''],
  ] as const) {
    const { stdout } = await run('fish', ['--no-config', '-c', FISH, file, line])
    expect(stdout.trim(), line).toBe(words)
  }
})

test.skipIf(WITHOUT.zsh)('zsh completes commands, options, what they may be, and files', async () => {
  const file = await scriptFor('zsh')
  for (const [line, whole] of [
    ['ops node dr', 'ops node drain'],
    ['ops connection move --to drain --y', 'ops connection move --to drain --yes'],
    ['ops application list --state t', 'ops application list --state talking'],
    ['ops restore /etc/hostn', 'ops restore /etc/hostname'],
    ['ops support show ', 'ops support show'],
  ] as const) {
    const { stdout } = await run('zsh', ['-f', '-c', ZSH, 'zsh', file, line])
    expect(stdout.trim(), line).toBe(whole)
  }
})

test('knows no other shell', async () => {
  const { code, err } = await runOps({}, 'completion', 'tcsh')
  expect(err).toMatch(/^error: .* Allowed choices are bash, zsh, fish\./)
  expect(code).toBe(2)
})
