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
    [
      'with a word that it does not know',
      { args: ['--uninstal'] },
      /^Usage: AGENT_TOKEN=.*--uninstall \[--keep \| --tunnel\]$/,
    ],
    ['on a server of a third one', { ...WHOLE, machine: 'riscv64' }, /^There is no agent for riscv64/],
  ])('%s ends before anything is changed, and says why', (_, server, words) => {
    const { said, done } = install(server)
    expect(said).toMatch(words)
    expect(done).toBe('')
  })
})

/** A machine of its own, as far as the script reaches, on which an agent was at work: what it says, and what is left then. */
const uninstall = (...args: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-uninstall-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = `set -e
    cd '${folder}' && mount -t tmpfs none '${folder}' && mkdir etc opt lib && cp -a /etc/. etc
    mount --bind etc /etc && mount --bind opt /opt && mount --bind lib /var/lib
    mkdir -p /opt/hedgerow-agent /etc/hedgerow-agent /etc/systemd/system
    for unit in hedgerow-agent.service hedgerow-agent-lists.timer; do : >/etc/systemd/system/$unit; done
    printf 'AGENT_INTERFACE="wg0"\nAGENT_STATE_DIR=/var/lib/hedgerow-agent \n' >/etc/hedgerow-agent/agent.env
    useradd --system --no-create-home hedgerow-agent
    install -d -o hedgerow-agent /var/lib/hedgerow-agent
    printf 'wg0\nup0\n' >/var/lib/hedgerow-agent/interfaces
    ip link set lo up
    for link in wg0 up0 other0; do ip link add $link type bridge; done
    for link in up0 other0; do tc qdisc add dev $link root handle 1: htb default 30; done
    ip addr add 198.18.0.1/32 dev lo && ip addr add fd68:6564:6765::1/128 dev lo && ip addr add 198.18.9.9/32 dev lo
    nft add table inet hedgerow_wg0 && nft add table inet hedgerow_wg0_guard && nft add table inet own
    setpriv --reuid hedgerow-agent --clear-groups sleep 300 &
    sh '${SCRIPT}' ${args.join(' ')} 2>&1
    echo --
    ip -o link | awk -F': ' '{ print $2 }' && ip -o addr show dev lo | awk '{ print $4 }'
    tc qdisc show | grep -o 'htb 1: dev [a-z0-9]*' && nft list tables
    ls -d /opt/* /etc/hedgerow* /etc/systemd/system/hedgerow* /var/lib/* 2>/dev/null || true
    id -un hedgerow-agent 2>/dev/null || true
    ps -o comm= -u hedgerow-agent 2>/dev/null || true`
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['--mount', '--net', '--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c', script],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  const [said = '', left = ''] = stdout.split('--\n')
  return { said, left: left.trim().split('\n') }
}

const OTHERS = [
  'lo',
  'other0',
  '127.0.0.1/8',
  '198.18.9.9/32',
  '::1/128',
  'htb 1: dev other0',
  'table inet own',
]
const linkOf = (line: string) => line.replace(/@.*/, '')

describe.skipIf(process.getuid?.() !== 0)('an agent that is taken away', () => {
  test('leaves what is not its own, and says so', () => {
    const { said, left } = uninstall('--uninstall')
    expect(left.map(linkOf).toSorted()).toEqual([...OTHERS, 'up0'].toSorted())
    expect(said).toMatch(/^The agent is gone from this server\. Left: the packages/)
  })

  test('leaves keys and settings where they are to be kept', () => {
    const { said, left } = uninstall('--uninstall', '--keep')
    const kept = ['/etc/hedgerow-agent', '/var/lib/hedgerow-agent', 'hedgerow-agent']
    expect(left.map(linkOf).toSorted()).toEqual([...OTHERS, 'up0', ...kept].toSorted())
    expect(said).toContain('Left: /etc/hedgerow-agent/agent.env and /var/lib/hedgerow-agent (its keys)')
  })

  test('leaves the tunnel to the server that had it before', () => {
    const { said, left } = uninstall('--uninstall', '--tunnel')
    expect(left.map(linkOf).toSorted()).toEqual([...OTHERS, 'up0', 'wg0'].toSorted())
    expect(said).toContain('Left: the tunnel wg0, the packages')
  })
})
