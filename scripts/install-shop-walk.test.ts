import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IS_LONG } from '@hedgerow/testing/strength'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { missingForMachines, startDebian } from './debian-machine.ts'
import {
  CONSOLE,
  isCommitted,
  makeRelease,
  onMachine,
  type Release,
  ROOT,
  SHOP,
  sh,
  startSandbox,
} from './walk-release.ts'

const HOUR = 3_600_000

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

let made: Release

/** Two releases, signed, and what an operator brings. */
const makeAll = () => {
  made = makeRelease()
  const { folder } = made
  const [, version = ''] =
    /hedgerow-(\d.*)\.tar\.gz/.exec(readdirSync(join(folder, 'first')).join('\n')) ?? []
  makeNext(join(folder, 'first'), join(folder, 'next'), version, (at) =>
    sh(
      'openssl pkeyutl -sign -inkey ../release.pem -rawin -in SHA256SUMS -out signature && base64 -w0 signature >SHA256SUMS.sig',
      at,
    ),
  )
}

describe.skipIf(why !== undefined)('a shop installed on a bare server', () => {
  beforeAll(makeAll, HOUR)
  afterAll(() => rmSync(made.folder, { recursive: true, force: true }))

  // One after the other, as an operator does it.
  test.each(['bookworm', 'trixie'] as const)(
    'of Debian %s sells, is repaired, goes to the next release and back, and comes again with its data',
    async (suite) => {
      const folders = { [made.folder]: '/srv/shop', [ROOT]: '/srv/source' }
      const machine = await startDebian({ suite, folders })
      onTestFinished(machine.stop, HOUR)
      const { install, sql, addNode, asCustomers } = onMachine(machine, made)
      const buy = () => asCustomers('await aPurchase(await anAccount())')
      const paidOrders = async () =>
        Number(await sql("select count(*) from payments where status = 'Success'"))
      await machine.run(`echo '127.0.0.1 ${SHOP} ${CONSOLE}' >>/etc/hosts`)
      await expect(machine.run('sh /srv/shop/first/install-shop.sh --check')).rejects.toThrow(
        /PUBLIC_URL is needed/,
      )
      const began = performance.now()
      const first = await install('first')
      const installed = performance.now()
      expect(first).toContain('The signature is right.')
      expect(first).toContain(`The pages are those of https://${SHOP}.`)
      const page = (name: string) =>
        machine.run(`curl -fs --cacert /srv/shop/ca.pem -H 'Accept: text/html' https://${name}/`)
      expect(await page(SHOP)).toContain('Quickset Limited')
      expect(await page(SHOP)).not.toContain('Hedgerow')
      expect(await page(CONSOLE)).toContain('content="Quickset"')
      expect(first).toMatch(/Link +https:\/\/console\.shop\.test\.example\/invitation#/)

      await startSandbox(machine, 'sandbox', { SANDBOX_SMTP_PORT: 2525 })
      await addNode()
      await buy()
      expect(await paidOrders()).toBe(1)
      const seconds = (until: number) => Math.round((until - began) / 1000)
      console.log(
        `${suite}: installed after ${seconds(installed)} s, sold after ${seconds(performance.now())} s`,
      )

      const settings = () => machine.run('cat /etc/hedgerow/hedgerow.env /etc/hedgerow/secrets/* | sha256sum')
      const before = await settings()
      const pid = await machine.run('systemctl show -P MainPID hedgerow')
      const again = await install('first')
      expect(again).toContain('hedgerow.service runs.')
      expect(again).toContain('Operators are known already')
      expect(await machine.run('systemctl show -P MainPID hedgerow')).toBe(pid)
      expect(await settings()).toBe(before)

      // As after an edit by hand.
      await machine.run('touch /etc/hedgerow/hedgerow.env')
      await install('first')
      expect(await machine.run('systemctl show -P MainPID hedgerow')).not.toBe(pid)

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
        'hedgerow-backup.timer',
      )
    },
    HOUR,
  )

  test(
    'is fetched from a server, and gets its certificate from an authority that speaks ACME',
    async () => {
      const machine = await startDebian({ suite: 'bookworm', folders: { [made.folder]: '/srv/shop' } })
      onTestFinished(machine.stop, HOUR)
      // The authority and whoever serves the release are on the machine itself; Debian's Pebble forgets all when it ends.
      await machine.run(`echo '127.0.0.1 ${SHOP} ${CONSOLE}' >>/etc/hosts
        cp /srv/shop/ca.pem /usr/local/share/ca-certificates/ours.crt && update-ca-certificates
        apt-get update -qq && apt-get install -y -qq --no-install-recommends curl pebble
        cp /srv/shop/first/install-shop.sh /root
        echo '{"pebble":{"listenAddress":"127.0.0.1:14000","managementListenAddress":"127.0.0.1:15000","httpPort":80,"tlsPort":443,
          "certificate":"/srv/shop/cert.pem","privateKey":"/srv/shop/key.pem"}}' >/root/pebble.json
        systemd-run --unit pebble --setenv PEBBLE_VA_NOSLEEP=1 pebble -config /root/pebble.json
        systemd-run --unit releases --working-directory /srv/shop/first openssl s_server -quiet -WWW -accept 8443 \
          -cert /srv/shop/cert.pem -key /srv/shop/key.pem
        until curl -fs -o /dev/null https://${SHOP}:14000/dir; do sleep 0.2; done`)
      const install = (key: string) =>
        machine.run(`export REQUESTS_CA_BUNDLE=/etc/ssl/certs/ca-certificates.crt
          sh /root/install-shop.sh --from https://${SHOP}:8443 --release-key ${key} --unattended /srv/shop/shop.env \
            --acme-server https://${SHOP}:14000/dir`)
      await expect(install('MCowBQYDK2VwAyEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=')).rejects.toThrow(
        /is not of that release key/,
      )
      expect(await install(made.publicKey)).toContain(
        'The certificate is there, and certbot.timer renews it.',
      )
      const served = () =>
        machine.run(`for name in ${SHOP} ${CONSOLE}; do
          openssl s_client -connect 127.0.0.1:443 -servername $name -verify_hostname $name </dev/null 2>/dev/null |
            openssl x509 -noout -serial -issuer -checkhost $name; done`)
      const first = await served()
      expect(first.match(/Pebble Intermediate/g)).toHaveLength(2)
      expect(first).not.toContain('NOT match')
      expect(await machine.run('systemctl is-enabled certbot.timer')).toBe('enabled\n')
      // nginx is told of a new one.
      await machine.run(
        'REQUESTS_CA_BUNDLE=/etc/ssl/certs/ca-certificates.crt certbot renew --force-renewal --no-random-sleep-on-renew -q',
      )
      await expect.poll(served, { timeout: 30_000 }).not.toBe(first)
      expect(await install(made.publicKey)).toContain('The certificate: /etc/hedgerow/tls/fullchain.pem.')
    },
    HOUR,
  )
})
