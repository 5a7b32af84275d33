import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../deploy/install-agent.sh', import.meta.url))

type Server = {
  machine?: string
  node?: string
  env?: Record<string, string>
  args?: string[]
  /** Debian's resolver, before the script runs. */
  hasRecursor?: boolean
}

/** Runs it on a server of that kind, as far as its packages. */
const install = ({
  machine = 'x86_64',
  node = 'exit 0',
  env = {},
  args = [],
  hasRecursor = false,
}: Server) => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const program = (name: string, text: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  program('bin/id', '[ $# = 1 ] && [ "$1" = -u ] && echo 0')
  program('bin/uname', `echo ${machine}`)
  program('bin/modprobe', 'exit 0')
  const done = join(folder, 'done')
  for (const name of ['apt-get', 'systemctl']) program(`bin/${name}`, `echo "${name} $*" >>'${done}'`)
  program('bin/dpkg-query', hasRecursor ? 'printf installed' : 'exit 1')
  program('bin/useradd', 'exit 100')
  program('node', node)
  copyFileSync(SCRIPT, join(folder, 'install-agent.sh'))
  const { stderr } = spawnSync('sh', [join(folder, 'install-agent.sh'), ...args], {
    env: { PATH: `${bin}:/usr/bin:/bin`, ...env },
    encoding: 'utf8',
  })
  return { said: stderr.trim(), done: existsSync(done) ? readFileSync(done, 'utf8') : '' }
}

const WHOLE = { args: ['https://shop.example'], env: { AGENT_TOKEN: 'a-token' } }

describe('the installation of an agent', () => {
  test('takes an address and a token, and brings the packages that a node needs', () => {
    const { said, done } = install(WHOLE)
    expect(said).toBe('')
    for (const name of ['conntrack', 'iproute2', 'nftables', 'pdns-recursor', 'wireguard-tools'])
      expect(done).toMatch(new RegExp(`^apt-get install .* ${name}( |$)`, 'm'))
  })

  test('switches off the service of the resolver that it brings, and not of one that was there', () => {
    expect(install(WHOLE).done).toContain('systemctl disable -q pdns-recursor\n')
    expect(install({ ...WHOLE, hasRecursor: true }).done).not.toContain('systemctl')
  })

  test.each([
    ['without an address', {}, /^Usage: AGENT_TOKEN=/],
    ['without a token', { args: WHOLE.args }, /^AGENT_TOKEN is not set/],
    [
      'with a key that is none',
      { ...WHOLE, env: { ...WHOLE.env, AGENT_RELEASE_KEY: '-----BEGIN PRIVATE KEY-----' } },
      /^AGENT_RELEASE_KEY is not a public key/,
    ],
    [
      'of the other architecture’s archive',
      { ...WHOLE, machine: 'aarch64', node: 'exit 126' },
      /It is aarch64: take the archive that ends in linux-arm64\.tar\.gz\.$/,
    ],
    ['on a server of a third one', { ...WHOLE, machine: 'riscv64' }, /^There is no agent for riscv64/],
  ])('%s ends before anything is changed, and says why', (_, server, words) => {
    const { said, done } = install(server)
    expect(said).toMatch(words)
    expect(done).toBe('')
  })
})
