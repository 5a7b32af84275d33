/** What walks of a release on a machine of its own have in common. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Machine } from './debian-machine.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const SHOP = 'shop.test.example'
export const CONSOLE = `console.${SHOP}`

/** The company and the address that are built into the pages. */
export const PAGES = `PUBLIC_URL=https://${SHOP}
BRAND_NAME=Quickset
BRAND_COMPANY="Quickset Limited"
BRAND_COMPANY_NUMBER=12345678
BRAND_REGISTERED_OFFICE="7 Lane End, York, England"
BRAND_VAT_NUMBER=GB123456789
BRAND_EMAIL=hello@${SHOP}
`

/** Runs lines of sh, and throws what they said where they fail. */
export const sh = (lines: string, cwd: string, env: NodeJS.ProcessEnv = {}): string => {
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', lines], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (status !== 0) throw new Error(`${lines}\n${stdout}${stderr}`)
  return stdout
}

/** A release is made of a commit. */
export const isCommitted = (): boolean =>
  spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).stdout === ''

/** Of a certificate authority of our own, for both names. */
const makeCertificate = (folder: string): void => {
  sh(
    `openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=Test CA" -keyout ca.key -out ca.pem
    openssl req -newkey rsa:2048 -nodes -subj "/CN=${SHOP}" -keyout key.pem -out request.pem
    printf 'subjectAltName=DNS:${SHOP},DNS:${CONSOLE}' >names
    openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 20 -extfile names -out cert.pem`,
    folder,
  )
}

export type Release = {
  /** With the release in `first`, and what an operator brings. */
  folder: string
  publicKey: string
}

/** A signed release of what is committed, in a folder that the caller removes. */
export const makeRelease = (): Release => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-walk-'))
  // The shop's user reads the authority from there.
  chmodSync(folder, 0o755)
  const release = (...words: string[]) => [process.execPath, 'scripts/release.ts', ...words].join(' ')
  const publicKey = sh(release('--new-key', join(folder, 'release.pem')), ROOT).trim()
  const made = ['--trial', '--sign', join(folder, 'release.pem')]
  sh(release(...made, '--out', join(folder, 'first')), ROOT)
  makeCertificate(folder)
  const secret = sh('openssl rand -hex 24', folder).trim()
  writeFileSync(
    join(folder, 'shop.env'),
    `${PAGES}SMTP_URL=smtp://127.0.0.1:2525
GATE_URL=http://localhost:3001
GATE_PROJECT_ID=57123
GATE_SECRET=${secret}
PAYMENT_PAGE_URL=http://localhost:3001/payment
LEGAL_REVIEWED=${new Date().toISOString().slice(0, 10)}
NODE_EXTRA_CA_CERTS=/srv/shop/ca.pem
`,
  )
  return { folder, publicKey }
}

/** A sandbox on the machine, by the settings of its shop, as the process of this name; `env` changes them. */
export const startSandbox = (machine: Machine, name: string, env: Record<string, string | number>) =>
  machine.run(`cd /srv/source
    (set -a; . /srv/shop/shop.env
    ${Object.entries({ SANDBOX_DATA_DIR: `/tmp/${name}`, ...env })
      .map(([key, value]) => `${key}=${value}`)
      .join('\n    ')}
    exec /opt/hedgerow/bin/node apps/sandbox/src/main.ts) >/tmp/${name}.log 2>&1 </dev/null &
    echo $! >/tmp/${name}.pid
    until curl -fs -o /dev/null http://localhost:${env.SANDBOX_PORT ?? 3001}/; do sleep 0.2; done`)

/** What is done with a release on a machine that has its folder at /srv/shop, and these sources at /srv/source. */
export const onMachine = (machine: Machine, { publicKey }: Pick<Release, 'publicKey'>) => ({
  install: (release = 'first') =>
    machine.run(
      `RELEASE_KEY=${publicKey} sh /srv/shop/${release}/install-shop.sh --unattended /srv/shop/shop.env --certificate /srv/shop/cert.pem --key /srv/shop/key.pem`,
    ),
  sql: async (query: string) =>
    (await machine.run(`runuser -u postgres -- psql -XAtqc "${query}" hedgerow`)).trim(),
  /** In the place of a second machine with an agent; it counts as heard of until tomorrow. */
  addNode: () =>
    machine.run(`runuser -u postgres -- psql -q hedgerow -c "insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, agent_hash, seen_at)
      values (gen_random_uuid(), 'London 1', '192.0.2.9:51820', 'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY=', '10.0.0.0/16', 'fd00::/64', decode(repeat('ab', 32), 'hex'), now() + interval '1 day')"`),
  /** As customers, by what e2e/customers.ts has. */
  asCustomers: (lines: string, { inbox = 'http://localhost:3001' } = {}) =>
    machine.run(`cd /srv/source/e2e
      SHOP_URL=https://${SHOP} SANDBOX_URL=${inbox} NODE_EXTRA_CA_CERTS=/srv/shop/ca.pem \\
      /opt/hedgerow/bin/node --input-type=module -e "
        const { anAccount, aPurchase } = await import('/srv/source/e2e/customers.ts')
        ${lines}"`),
})
