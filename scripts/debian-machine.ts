/** A bare Debian with its own systemd, in a network namespace: root, debootstrap and systemd-container are needed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isThere } from './browser.ts'

const TOOLS = ['debootstrap', 'systemd-nspawn', 'nsenter', 'ip']
/** What a provider's image has at the least. */
const PACKAGES = 'systemd-sysv,dbus,ca-certificates,iproute2'
const PROXY_PORT = 4480

/** Why there can be none here; undefined where there can. */
export const missingForMachines = (): string | undefined => {
  const missing = TOOLS.filter((tool) => !isThere(tool))
  if (missing.length > 0) return `${missing.join(', ')} missing`
  return process.getuid?.() === 0 ? undefined : 'they need root'
}

const must = (program: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr || stdout}`)
  return stdout
}

/** Debian's mirror for a machine that can reach nothing else than this one. */
const startProxy = async (address: string): Promise<() => void> => {
  const server = createServer((from, to) => {
    const { hostname, port, pathname, search, host } = new URL(from.url ?? '', 'http://deb.debian.org')
    const options = { hostname, port: port || 80, path: pathname + search, method: from.method }
    const out = request({ ...options, headers: { ...from.headers, host } }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    out.on('error', () => to.writeHead(502).end())
    from.pipe(out)
  })
  server.listen(PROXY_PORT, address)
  await once(server, 'listening')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

const bootstrap = (folder: string, suite: string, address: string): void => {
  must('debootstrap', '--variant=minbase', `--include=${PACKAGES}`, suite, folder)
  writeFileSync(
    join(folder, 'etc/apt/apt.conf.d/01proxy'),
    `Acquire::http::Proxy "http://${address}:${PROXY_PORT}";\n`,
  )
  writeFileSync(join(folder, 'etc/hostname'), 'shop\n')
  writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost shop\n')
}

/** The first that nobody has: other files of tests have machines meanwhile. */
const addLink = (name: string): { link: string; network: string } => {
  for (let number = 44; number < 250; number++) {
    const link = `hg-shop-${number}`
    const args = ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'host0', 'netns', name]
    if (spawnSync('ip', args).status === 0) return { link, network: `10.253.${number}` }
  }
  throw new Error('no network is left for a machine')
}

export type Machine = {
  /** Where its files are here. */
  root: string
  /** Runs lines of sh as root; returns what they said. Throws it where they fail. */
  run: (lines: string) => Promise<string>
  stop: () => Promise<void>
}

type Wanted = {
  suite: 'bookworm' | 'trixie'
  /** Folders of ours, and where it sees them. */
  folders: Readonly<Record<string, string>>
}

export const startDebian = async ({ suite, folders }: Wanted): Promise<Machine> => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-debian-'))
  const root = join(folder, 'root')
  mkdirSync(root)
  const name = `hedgerow-${process.pid}`
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const one of undo.reverse()) await one()
  }
  try {
    must('ip', 'netns', 'add', name)
    undo.push(() => spawnSync('ip', ['netns', 'del', name]))
    const { link, network } = addLink(name)
    undo.push(() => spawnSync('ip', ['link', 'del', link]))
    const ours = `${network}.1`
    must('ip', 'addr', 'add', `${ours}/24`, 'dev', link)
    must('ip', 'link', 'set', link, 'up')
    const within = (...args: string[]) => must('ip', '-n', name, ...args)
    within('addr', 'add', `${network}.2/24`, 'dev', 'host0')
    within('link', 'set', 'host0', 'up')
    within('link', 'set', 'lo', 'up')
    bootstrap(root, suite, ours)
    undo.push(await startProxy(ours))
    const { leader, child } = await boot(name, root, folders)
    const exit = once(child, 'exit')
    undo.push(async () => {
      child.kill('SIGTERM')
      await exit
    })
    // Not a call that waits: the mirror's answers come by way of this process.
    const run = async (lines: string): Promise<string> => {
      const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' }
      const within = spawn('nsenter', ['-t', leader, '-a', 'sh', '-c', `exec 2>&1\n${lines}`], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      let said = ''
      within.stdout.on('data', (text) => (said += text))
      const [code] = await once(within, 'close')
      if (code !== 0) throw new Error(`${lines}\n${said}`)
      return said
    }
    return { root, run, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Booted = { leader: string; child: ChildProcess }

const boot = async (name: string, root: string, folders: Wanted['folders']): Promise<Booted> => {
  const binds = Object.entries(folders).map(([ours, theirs]) => `--bind-ro=${ours}:${theirs}`)
  const args = [
    '--quiet',
    '--directory',
    root,
    '--boot',
    '--register=no',
    '--keep-unit',
    `--network-namespace-path=/run/netns/${name}`,
    '--resolv-conf=off',
    '--timezone=off',
    `--machine=${name}`,
    ...binds,
  ]
  // A newer systemd does without the old cgroups that some machines have; in a container it has to be asked.
  const env = {
    ...process.env,
    SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: existsSync('/sys/fs/cgroup/cgroup.controllers') ? '1' : '0',
  }
  const child = spawn('systemd-nspawn', args, { stdio: ['ignore', 'ignore', 'ignore'], env })
  for (let tries = 0; tries < 120 && child.exitCode === null; tries++) {
    await pause(500)
    const children = `/proc/${child.pid}/task/${child.pid}/children`
    const [leader] = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ') : []
    if (!leader) continue
    const { stdout } = spawnSync('nsenter', ['-t', leader, '-a', 'systemctl', 'is-system-running'], {
      encoding: 'utf8',
    })
    if (/running|degraded/.test(stdout ?? '')) return { leader, child }
  }
  child.kill('SIGKILL')
  throw new Error('Debian did not come up in systemd-nspawn')
}
