import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { chmod, chown, copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@hedgerow/testing/free-port'
import { Client } from 'pg'
import { type Machine, openMachines } from '#testing/failover/machines.ts'
import type { DatabaseServer } from '#testing/torture/world.ts'

const run = promisify(execFile)
const sleep = (ms: number) => new Promise((later) => setTimeout(later, ms))

/** What operators copy is what is rehearsed. */
const DEPLOY = new URL('../../../../../deploy/patroni/', import.meta.url)
const BIN = '/usr/lib/postgresql/15/bin'
const NAMES = ['a', 'b', 'c']
const UP_WITHIN_MS = 90_000

export type Member = { Member: string; Role: string; State: string; TL?: number }

export type Cluster = DatabaseServer & {
  machines: readonly Machine[]
  members: () => Promise<Member[]>
  leader: () => Promise<Machine>
  /** Waits until one leads, one follows at its pace and the third follows. */
  whole: (withinMs: number) => Promise<boolean>
  switchOver: () => Promise<void>
  startPatroni: (machine: Machine) => void
  /** Starts what has ended on a machine: etcd, Patroni, or neither. */
  revive: (machine: Machine) => Promise<void>
}

/** What is missing here for the rehearsal, in words; empty: nothing. */
export const whatIsMissing = (): string[] => [
  ...(process.getuid?.() === 0 ? [] : ['root (network namespaces need it)']),
  ...[
    ['/usr/bin/patroni', 'patroni'],
    ['/usr/bin/etcd', 'etcd-server'],
    ['/usr/sbin/haproxy', 'haproxy'],
    [`${BIN}/postgres`, 'postgresql-15'],
    ['/usr/bin/openssl', 'openssl'],
    ['/usr/bin/setpriv', 'util-linux'],
  ].flatMap(([file = '', from = '']) => (existsSync(file) ? [] : [`${file} (Debian's package ${from})`])),
]

const fill = (text: string, words: Readonly<Record<string, string>>): string =>
  Object.entries(words).reduce((filled, [word, value]) => filled.replaceAll(word, value), text)

/** One certificate for all of them, which names this machine's own end of the proxy, and each of them. */
const makeCertificate = async (
  folder: string,
  machines: readonly Machine[],
): Promise<{ certificate: string; key: string }> => {
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')]
  const addresses = ['127.0.0.1', ...machines.map(({ address }) => address)].map((address) => `IP:${address}`)
  const subject = [
    '-subj',
    '/CN=localhost',
    '-addext',
    `subjectAltName=${['DNS:localhost', ...addresses].join()}`,
  ]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await run('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', certificate])
  return { certificate, key }
}

const postgresUser = async (): Promise<[number, number]> => {
  const { stdout } = await run('sh', ['-c', 'id -u postgres; id -g postgres'])
  const [uid = 0, gid = 0] = stdout.trim().split('\n').map(Number)
  return [uid, gid]
}

const startProxy = async (config: string, words: Record<string, string>, home: string) => {
  const port = await freePort()
  const text = fill(config, words).replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`)
  const file = join(home, 'haproxy.cfg')
  await writeFile(file, text)
  await run('haproxy', ['-c', '-f', file])
  const log = openSync(join(home, 'haproxy.log'), 'a')
  const child = spawn('haproxy', ['-f', file, '-db'], { stdio: ['ignore', log, log], detached: true })
  closeSync(log)
  const stop = async () => void child.kill('SIGKILL')
  return { port, stop }
}

/** Three PostgreSQL with Patroni and etcd, each on a machine of its own, and HAProxy here. */
export const openCluster = async (home: string): Promise<Cluster> => {
  const cleanups: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean().catch(console.error)
  }
  try {
    // The database's user passes through, and sees no more than that.
    await chmod(home, 0o711)
    const { machines, network, close: closeMachines } = await openMachines(NAMES, home)
    cleanups.push(closeMachines)
    const pair = await makeCertificate(home, machines)
    const password = () => randomBytes(12).toString('hex')
    const [superPassword, shopPassword] = [password(), password()]
    const ordinals = ['FIRST', 'SECOND', 'THIRD']
    const common = {
      ...Object.fromEntries(machines.map(({ address }, i) => [`${ordinals[i]}_ADDRESS`, address])),
      ...Object.fromEntries(machines.map(({ name }, i) => [`${ordinals[i]}_NAME`, name])),
      SUPERUSER_PASSWORD: superPassword,
      REPLICATION_PASSWORD: password(),
      REWIND_PASSWORD: password(),
      RESTAPI_PASSWORD: password(),
      CA_FILE: pair.certificate,
      NETWORK: network,
    }
    const read = (file: string) => readFile(new URL(file, DEPLOY), 'utf8')
    const [patroni, etcd, haproxy] = [
      await read('patroni.yml'),
      await read('etcd'),
      await read('haproxy.cfg'),
    ]
    const [uid, gid] = await postgresUser()
    const etcds = new Map<Machine, Record<string, string>>()
    const startPatroni = (machine: Machine) => {
      machine.start('patroni', [join(machine.folder, 'patroni.yml')])
    }
    for (const machine of machines) {
      const { folder, name, address } = machine
      const own = {
        ...common,
        NODE_NAME: name,
        NODE_ADDRESS: address,
        DATA_FOLDER: folder,
        SOCKET_FOLDER: folder,
      }
      const files = { CERTIFICATE_FILE: join(folder, 'server.crt'), KEY_FILE: join(folder, 'server.key') }
      await copyFile(pair.certificate, files.CERTIFICATE_FILE)
      await copyFile(pair.key, files.KEY_FILE)
      await writeFile(join(folder, 'patroni.yml'), fill(patroni, { ...files, ...own }), { mode: 0o600 })
      for (const file of ['server.crt', 'server.key', 'patroni.yml'])
        await chown(join(folder, file), uid, gid)
      const settings = fill(etcd, own).replace('/var/lib/etcd/shop', join(folder, 'etcd'))
      const env = Object.fromEntries(
        settings
          .split('\n')
          .flatMap((line) => (line.startsWith('ETCD_') ? [line.split(/=(.*)/s).slice(0, 2)] : [])),
      )
      etcds.set(machine, env)
      machine.start('etcd', [], env)
    }
    for (const machine of machines) startPatroni(machine)
    const revive = async (machine: Machine) => {
      const alive = await machine.programs()
      if (!alive.includes('etcd')) machine.start('etcd', [], etcds.get(machine))
      if (!alive.includes('patroni')) startPatroni(machine)
    }
    const proxy = await startProxy(haproxy, common, home)
    cleanups.push(proxy.stop)

    const ctl = (machine: Machine, ...args: string[]) =>
      run('patronictl', ['-c', join(machine.folder, 'patroni.yml'), ...args], { timeout: 20_000 })
    const members = async (): Promise<Member[]> => {
      for (const machine of machines) {
        try {
          return JSON.parse((await ctl(machine, 'list', '-f', 'json')).stdout)
        } catch {
          // The next one may see more.
        }
      }
      return []
    }
    const whole = async (withinMs: number) => {
      const end = Date.now() + withinMs
      while (Date.now() < end) {
        const all = await members()
        const has = (role: string) =>
          all.filter(({ Role, State }) => Role === role && /^(running|streaming)$/.test(State))
        const isWhole = all.length === machines.length && has('Leader').length === 1
        if (isWhole && has('Sync Standby').length === 1 && has('Replica').length === 1) return true
        await sleep(1_000)
      }
      return false
    }
    if (!(await whole(UP_WITHIN_MS))) throw new Error(`The three servers do not come up: see ${home}`)
    const { stdout: refusal } = await run('curl', [
      ...['--cacert', pair.certificate, '-sX', 'PATCH', '-d', '{}', '-o', '/dev/null', '-w', '%{http_code}'],
      `https://${machines[0]?.address}:8008/config`,
    ])
    if (refusal !== '401') throw new Error(`Patroni answers ${refusal} to a change without a password`)
    const urlOf = (user: string, own: string, database: string) =>
      `postgres://${user}:${own}@localhost:${proxy.port}/${database}?sslmode=verify-full&sslrootcert=${pair.certificate}`
    const asSuperuser = new Client({ connectionString: urlOf('postgres', superPassword, 'postgres') })
    await asSuperuser.connect()
    await asSuperuser.query(`create role shop login password '${shopPassword}'`)
    await asSuperuser.query('create database shop owner shop')
    await asSuperuser.end()
    return {
      url: urlOf('shop', shopPassword, 'shop'),
      machines,
      members,
      whole,
      leader: async () => {
        const end = Date.now() + UP_WITHIN_MS
        for (;;) {
          const name = (await members()).find(({ Role }) => Role === 'Leader')?.Member
          const machine = machines.find((one) => one.name === name)
          if (machine) return machine
          if (Date.now() > end) throw new Error('Nobody leads')
          await sleep(500)
        }
      },
      switchOver: async () => {
        await ctl(machines[0] as Machine, 'switchover', '--force')
      },
      startPatroni,
      revive,
      restart: async () => {
        throw new Error('Three servers are not restarted as one')
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
