import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IS_LONG } from '@hedgerow/testing/strength'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Machine, missingForMachines, startDebian } from './debian-machine.ts'
import { CONSOLE, isCommitted, PAGES, ROOT, SHOP, sh } from './walk-release.ts'

const HOUR = 3_600_000

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

/** The same release under the next number, with another unit, another site and a zone of another key. */
const makeNext = (release: string, next: string, version: string, sign: (folder: string) => void): void => {
  mkdirSync(next)
  for (const name of readdirSync(release).filter(
    (one) => one.endsWith('x64.tar.gz') || /^hedgerow-\d.*gz$/.test(one),
  )) {
    const [from, to] = [name.replace('.tar.gz', ''), name.replace(version, '9.9.9').replace('.tar.gz', '')]
    sh(`tar -xzf "${join(release, name)}"`, next)
    renameSync(join(next, from), join(next, to))
    if (!name.includes('agent')) {
      const deploy = join(next, to, 'deploy')
      sh(
        `printf '# next\\n' >>hedgerow.service
        sed -i 's/limit_req_zone \\$hedgerow_network zone=\\([a-z_]*\\):/limit_req_zone $server_name zone=\\1:/' nginx.conf`,
        deploy,
      )
      const file = join(next, to, 'release.json')
      writeFileSync(file, readFileSync(file, 'utf8').replace(version, '9.9.9'))
    }
    sh(`tar -czf "${to}.tar.gz" "${to}" && rm -r "${to}"`, next)
  }
  cpSync(join(release, 'install-shop.sh'), join(next, 'install-shop.sh'))
  sh('sha256sum *.tar.gz install-shop.sh >SHA256SUMS', next)
  sign(next)
}

const why =
  IS_LONG && isCommitted() ? missingForMachines() : 'only npm run test:long does it, of what is committed'

let folder: string
let publicKey: string

/** Two releases, signed, and what an operator brings. */
const makeAll = () => {
  folder = mkdtempSync(join(tmpdir(), 'hedgerow-walk-'))
  const release = (...words: string[]) => [process.execPath, 'scripts/release.ts', ...words].join(' ')
  publicKey = sh(release('--new-key', join(folder, 'release.pem')), ROOT).trim()
  const made = ['--trial', '--sign', join(folder, 'release.pem')]
  sh(release(...made, '--out', join(folder, 'first')), ROOT)
  const [, version = ''] =
    /hedgerow-(\d.*)\.tar\.gz/.exec(readdirSync(join(folder, 'first')).join('\n')) ?? []
  makeNext(join(folder, 'first'), join(folder, 'next'), version, (at) =>
    sh(
      'openssl pkeyutl -sign -inkey ../release.pem -rawin -in SHA256SUMS -out signature && base64 -w0 signature >SHA256SUMS.sig',
      at,
    ),
  )
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
}

describe.skipIf(why !== undefined)('a shop installed on a bare server', () => {
  let machine: Machine

  beforeAll(makeAll, HOUR)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const install = (release: string, more = '') =>
    machine.run(
      `RELEASE_KEY=${publicKey} sh /srv/shop/${release}/install-shop.sh --unattended /srv/shop/shop.env --certificate /srv/shop/cert.pem --key /srv/shop/key.pem ${more}`,
    )
  const buy = () =>
    machine.run(`cd /srv/source/e2e
      SHOP_URL=https://${SHOP} SANDBOX_URL=http://localhost:3001 NODE_EXTRA_CA_CERTS=/srv/shop/ca.pem \\
      /opt/hedgerow/bin/node --input-type=module -e "
        const { anAccount, aPurchase } = await import('/srv/source/e2e/customers.ts')
        await aPurchase(await anAccount())"`)
  const paidOrders = async () =>
    Number(
      await machine.run(
        `runuser -u postgres -- psql -XAtc "select count(*) from payments where status = 'Success'" hedgerow`,
      ),
    )

  // One after the other, as an operator does it.
  test.each(['bookworm', 'trixie'] as const)(
    'of Debian %s sells, is repaired, goes to the next release and back, and comes again with its data',
    async (suite) => {
      machine = await startDebian({ suite, folders: { [folder]: '/srv/shop', [ROOT]: '/srv/source' } })
      onTestFinished(machine.stop, HOUR)
      await machine.run(`echo '127.0.0.1 ${SHOP} ${CONSOLE}' >>/etc/hosts`)
      await expect(machine.run('sh /srv/shop/first/install-shop.sh --check')).rejects.toThrow(
        /PUBLIC_URL is needed/,
      )
      const first = await install('first')
      expect(first).toContain('The signature is right.')
      expect(first).toContain(`The pages are those of https://${SHOP}.`)
      const page = (name: string) =>
        machine.run(`curl -fs --cacert /srv/shop/ca.pem -H 'Accept: text/html' https://${name}/`)
      expect(await page(SHOP)).toContain('Quickset Limited')
      expect(await page(SHOP)).not.toContain('Hedgerow')
      expect(await page(CONSOLE)).toContain('content="Quickset"')
      expect(first).toMatch(/Link +https:\/\/console\.shop\.test\.example\/invitation#/)

      await machine.run(`cd /srv/source
      set -a; . /srv/shop/shop.env; set +a
      SANDBOX_SMTP_PORT=2525 SANDBOX_DATA_DIR=/tmp/sandbox nohup /opt/hedgerow/bin/node apps/sandbox/src/main.ts >/tmp/sandbox.log 2>&1 &
      until curl -fs -o /dev/null http://localhost:3001/; do sleep 1; done`)
      // In the place of a second machine with an agent; it counts as heard of until tomorrow.
      await machine.run(`runuser -u postgres -- psql -q hedgerow -c "insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, agent_hash, seen_at)
      values (gen_random_uuid(), 'London 1', '192.0.2.9:51820', 'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY=', '10.0.0.0/16', 'fd00::/64', decode(repeat('ab', 32), 'hex'), now() + interval '1 day')"`)
      await buy()
      expect(await paidOrders()).toBe(1)

      const settings = () => machine.run('cat /etc/hedgerow/hedgerow.env /etc/hedgerow/secrets/* | sha256sum')
      const before = await settings()
      const pid = await machine.run('systemctl show -P MainPID hedgerow')
      const again = await install('first')
      expect(again).toContain('hedgerow.service runs.')
      expect(again).toContain('Operators are known already')
      expect(await machine.run('systemctl show -P MainPID hedgerow')).toBe(pid)
      expect(await settings()).toBe(before)

      await machine.run('rm /etc/systemd/system/hedgerow.service /etc/nginx/conf.d/hedgerow.conf')
      expect(await install('first')).toContain('/etc/nginx/conf.d/hedgerow.conf\n')

      // nginx refuses to reload to the next one's zone: the installation sees to it.
      expect(await install('next')).toContain(`Hedgerow 9.9.9: https://${SHOP}`)
      expect(await machine.run('tail -n 1 /etc/systemd/system/hedgerow.service')).toBe('# next\n')
      await buy()
      await install('first')
      expect(await machine.run('tail -n 1 /etc/systemd/system/hedgerow.service')).not.toContain('next')
      await buy()
      expect(await paidOrders()).toBe(3)

      expect(await machine.run('sh /srv/shop/first/install-shop.sh --uninstall')).toContain(
        'The shop is gone.',
      )
      await expect(machine.run('id hedgerow || ls /opt/hedgerow')).rejects.toThrow(/no such user/)
      await install('first')
      await buy()
      expect(await paidOrders()).toBe(4)
      expect(await settings()).toBe(before)
      expect(await machine.run('ls /var/lib/hedgerow-backups')).toMatch(/^\d{4}-\d\d-\d\dT\d{9}Z\.backup$/m)
      expect(await machine.run('hedgerow-ops backup && ls /etc/systemd/system')).not.toContain(
        'hedgerow-backup',
      )
    },
    HOUR,
  )
})
