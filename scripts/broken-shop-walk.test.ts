import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createEnd } from '@hedgerow/testing/namespaces'
import { IS_LONG } from '@hedgerow/testing/strength'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Machine, missingForMachines, startDebian } from './debian-machine.ts'
import { CONSOLE, isCommitted, makeRelease, onMachine, ROOT, SHOP, startSandbox } from './walk-release.ts'

const HOUR = 3_600_000
const PATIENCE_MS = 600_000
const INBOX = 'http://localhost:3005'

const why =
  IS_LONG && isCommitted() ? missingForMachines() : 'only npm run test:long does it, of what is committed'

type Broken = {
  check: string
  break: string
  mend: string
  /** What a rule of deploy/prometheus/alerts.yml looks at, where that is not the check. */
  metric?: RegExp
  /** What the mail to operators says; null where none can go out. */
  mail?: RegExp | null
  /** What the console's list of what is wrong has; null where there is none to be seen. */
  overview?: string | null
}

const SLEEPING_GATEWAY = 'kill -STOP $(cat /tmp/gate.pid)'

/** Of a machine with all of a small shop. */
const BROKEN: Record<string, Broken> = {
  'the gateway does not answer': {
    check: 'gateway',
    break: SLEEPING_GATEWAY,
    mend: 'kill -CONT $(cat /tmp/gate.pid)',
  },
  'the gateway knows another secret': {
    check: 'gateway',
    break: `sed -i 's/^GATE_SECRET_FILE=/#&/' /etc/hedgerow/hedgerow.env
      echo GATE_SECRET=$(openssl rand -hex 24) >>/etc/hedgerow/hedgerow.env; systemctl restart hedgerow`,
    mend: `sed -i '/^GATE_SECRET=/d; s/^#GATE_SECRET_FILE=/GATE_SECRET_FILE=/' /etc/hedgerow/hedgerow.env; systemctl restart hedgerow`,
  },
  'the mail server is away': {
    check: 'mail',
    break: 'kill -9 $(cat /tmp/inbox.pid)',
    mend: '',
    mail: null,
  },
  'nginx is stopped': { check: 'proxy', break: 'systemctl stop nginx', mend: 'systemctl start nginx' },
  'the shop’s name leads nowhere': {
    check: 'names',
    break: `cp /etc/hosts /tmp/hosts; grep -v ${SHOP} /tmp/hosts >/etc/hosts`,
    mend: 'cat /tmp/hosts >/etc/hosts',
  },
  'the certificate has expired': {
    check: 'certificate',
    break: `cd /tmp && cp /etc/hedgerow/tls/fullchain.pem kept.pem
      openssl x509 -req -in /srv/shop/request.pem -CA /srv/shop/ca.pem -CAkey /srv/shop/ca.key -CAserial serial -CAcreateserial \\
        -days -1 -extfile /srv/shop/names -out soon.pem
      cat soon.pem >/etc/hedgerow/tls/fullchain.pem; systemctl reload nginx`,
    mend: 'cat /tmp/kept.pem >/etc/hedgerow/tls/fullchain.pem; systemctl reload nginx',
  },
  'a node is silent': {
    check: 'nodes',
    break: `runuser -u postgres -- psql -qc 'update nodes set seen_at = now()' hedgerow`,
    mend: `runuser -u postgres -- psql -qc "update nodes set seen_at = now() + interval '1 day'" hedgerow`,
    metric: /^hedgerow_node_seen_seconds\{node="London 1"\} (?:9[1-9]|\d{3})/m,
    mail: /London 1 is down/,
    overview: 'NodeDown',
  },
  'the database’s disk is full': {
    check: 'disk',
    break: 'dd if=/dev/zero of=/var/lib/postgresql/filler bs=1M || true',
    mend: 'rm /var/lib/postgresql/filler',
  },
  'PostgreSQL is stopped': {
    check: 'database',
    break: `systemctl stop 'postgresql*'`,
    mend: 'systemctl start postgresql',
    metric: /^hedgerow_database_up 0/m,
    mail: null,
    overview: null,
  },
  'the backups were taken away': {
    check: 'backup',
    break: 'mv /var/lib/hedgerow-backups /var/lib/elsewhere',
    mend: 'mv /var/lib/elsewhere /var/lib/hedgerow-backups',
  },
}

type Mail = { id: string; subject: string }

describe.skipIf(why !== undefined)('what breaks on a shop’s machine is told', () => {
  const { atEnd, end } = createEnd()
  let machine: Machine
  let shop: ReturnType<typeof onMachine>

  const startInbox = () => startSandbox(machine, 'inbox', { SANDBOX_PORT: 3005, SANDBOX_SMTP_PORT: 2525 })
  const startGateway = () => startSandbox(machine, 'gate', { SANDBOX_SMTP_PORT: 2527 })

  beforeAll(async () => {
    const made = makeRelease()
    atEnd(async () => rmSync(made.folder, { recursive: true, force: true }))
    machine = await startDebian({
      suite: 'bookworm',
      folders: { [made.folder]: '/srv/shop', [ROOT]: '/srv/source' },
    })
    atEnd(machine.stop)
    shop = onMachine(machine, made)
    await machine.run(`echo '127.0.0.1 ${SHOP} ${CONSOLE}' >>/etc/hosts`)
    await shop.install()
    await startInbox()
    await startGateway()
    await shop.addNode()
    // A disk of its own, that can be filled.
    await machine.run(`systemctl stop hedgerow 'postgresql*'
      cp -a /var/lib/postgresql /tmp/kept && mount -t tmpfs -o size=1500M tmpfs /var/lib/postgresql
      cp -a /tmp/kept/. /var/lib/postgresql/ && systemctl start postgresql hedgerow`)
  }, HOUR)
  afterAll(end, HOUR)

  const json = async (lines: string) => {
    const said = await machine.run(`${lines} || true`)
    try {
      return JSON.parse(said)
    } catch {
      return undefined
    }
  }
  const mails = async (): Promise<Mail[]> => (await json(`curl -fs ${INBOX}/mail/messages`)) ?? []
  type Found = { check?: string; name?: string; state: string }
  const isProblem = (found: readonly Found[] | undefined, check: string) =>
    found?.some((one) => (one.check ?? one.name) === check && one.state === 'problem') === true

  const looks = (
    { check, metric, mail = /check(?:s)? of the shop failed/, overview }: Broken,
    before: ReadonlySet<string>,
  ): Record<string, () => Promise<boolean>> => ({
    doctor: async () => isProblem((await json('hedgerow-ops doctor --json'))?.found, check),
    ...(overview === null
      ? {}
      : {
          console: async () =>
            overview
              ? JSON.stringify(await json('hedgerow-ops overview --json')).includes(overview)
              : isProblem(await json('hedgerow-ops check list --json'), check),
        }),
    alert: async () =>
      (metric ?? new RegExp(`^hedgerow_check_failing\\{check="${check}",machine="\\w*"\\} 1`, 'm')).test(
        await machine.run('curl -s http://127.0.0.1:9464/metrics || true'),
      ),
    ...(mail
      ? { mail: async () => (await mails()).some(({ id, subject }) => !before.has(id) && mail.test(subject)) }
      : {}),
  })

  const isWell = async () => {
    const found: Found[] = (await json('hedgerow-ops check list --json')) ?? [{ state: 'problem' }]
    return found.every(({ state }) => state !== 'problem')
  }
  const until = async (isSo: () => Promise<boolean>) => {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(1000)) if (await isSo()) return
    throw new Error('it did not come to that')
  }

  test.each(Object.entries(BROKEN))(
    '%s: by the doctor, the console, an alert and a mail',
    async (name, broken) => {
      await until(isWell)
      const before = new Set((await mails()).map(({ id }) => id))
      await machine.run(broken.break)
      const since = Date.now()
      const told: Record<string, number> = {}
      const left = new Map(Object.entries(looks(broken, before)))
      try {
        await until(async () => {
          for (const [who, isTold] of left)
            if (await isTold()) {
              told[who] = Math.round((Date.now() - since) / 1000)
              left.delete(who)
            }
          return left.size === 0
        }).catch(() => undefined)
        console.log(`${name}: told after`, told, 's')
        expect([...left.keys()]).toEqual([])
      } finally {
        await machine.run(broken.mend)
        if (broken.check === 'mail') await startInbox()
      }
    },
    HOUR,
  )

  test(
    'sales that fail: by the doctor, the console, an alert and a mail',
    async () => {
      await until(isWell)
      const broken = { check: 'sales', break: '', mend: '' }
      const before = new Set((await mails()).map(({ id }) => id))
      await machine.run(
        `curl -fs -X PUT -H 'content-type: application/json' -d '{"failSales":"500"}' http://localhost:3001/gate/faults`,
      )
      await shop.asCustomers(
        `for (let n = 0; n < 2; n++) {
          const one = await anAccount()
          for (let m = 0; m < 2; m++) await aPurchase(one, undefined, () => undefined)
        }`,
        { inbox: INBOX },
      )
      for (const isTold of Object.values(looks(broken, before))) await until(isTold)
      await machine.run(
        `curl -fs -X PUT -H 'content-type: application/json' -d '{"failSales":"none"}' http://localhost:3001/gate/faults`,
      )
      await shop.asCustomers('await aPurchase(await anAccount())', { inbox: INBOX })
      await until(isWell)
    },
    HOUR,
  )
})
