import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEnd } from '@hedgerow/testing/namespaces'
import { IS_LONG } from '@hedgerow/testing/strength'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isThere } from './browser.ts'
import { CONSOLE, isCommitted, PAGES, ROOT, SHOP, sh } from './walk-release.ts'

/** The gateway, as somebody else's. The mail server is asked for by its address, because there is no DNS that would know its name. */
const OUTSIDE = 'gate.test.example'
const ADDRESS = '192.0.2.45'
const HOUR = 3_600_000
const TOOLS = [
  'podman',
  'podman-compose',
  'runc',
  'buildah',
  'iptables',
  '/usr/lib/podman/netavark',
  '/usr/lib/podman/aardvark-dns',
  'debootstrap',
  'nsenter',
  'openssl',
]

/** What stands in for the images of others, which are in no registry that tests may ask: their users, folders and settings. */
const NGINX_CONF = `user www-data; pid /run/nginx.pid; error_log /dev/stderr; events {}
http { access_log /dev/stdout; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path /var/cache/nginx/${kind};`).join(' ')}
include /etc/nginx/mime.types; include /etc/nginx/conf.d/*.conf; }
`
const POSTGRES_START = `#!/bin/sh
set -e
export PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
install -d -o postgres -m 0700 $PGDATA
install -d -o postgres /var/run/postgresql
as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
if [ ! -e $PGDATA/PG_VERSION ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  as initdb -U "$POSTGRES_USER" --pwfile=/tmp/password -A scram-sha-256 --auth-local=trust -E UTF8 --locale=C.UTF-8 >/dev/null
  echo "host all all all scram-sha-256" >>$PGDATA/pg_hba.conf
  echo "create database $POSTGRES_DB" | as postgres --single -E postgres >/dev/null
fi
exec setpriv --reuid postgres --regid postgres --clear-groups postgres -c listen_addresses='*'
`
/** TLS before the sandbox's gateway and mail server, which speak none. */
const TLS_BEFORE = `
const { readFileSync } = require('node:fs'), net = require('node:net'), tls = require('node:tls')
const [folder] = process.argv.slice(1)
const pair = { key: readFileSync(folder + '/key.pem'), cert: readFileSync(folder + '/cert.pem') }
for (const [from, to] of [[3443, 3001], [4465, 2525]])
  tls.createServer(pair, (outer) => {
    const inner = net.connect(to, '127.0.0.1')
    outer.pipe(inner).pipe(outer)
    outer.on('error', () => inner.destroy())
    inner.on('error', () => outer.destroy())
  }).listen(from)
`

const missing = TOOLS.filter((tool) => !isThere(tool))
const can = IS_LONG && process.getuid?.() === 0 && missing.length === 0 && isCommitted()

describe.skipIf(!can)('the shop in containers', () => {
  const { atEnd, end } = createEnd()
  let folder: string
  let version: string
  /** Runs lines of sh in a network and with an /etc, /opt and /var of the walk's own. */
  let within: (lines: string) => string
  let compose: (words: string) => string

  const makeRelease = () => {
    const release = join(folder, 'release')
    sh(`"${process.execPath}" scripts/release.ts --trial --out "${release}"`, ROOT)
    const names = readdirSync(release).join('\n')
    version = /^hedgerow-(\d.*)\.tar\.gz$/m.exec(names)?.[1] ?? ''
    expect(names).toContain(`hedgerow-${version}-image`)
  }

  /** An operator's machine: a network, names, and what the walk writes, without a trace on this one. */
  const makeMachine = async () => {
    const holder = spawn('unshare', ['--net', '--mount', 'sleep', 'infinity'], { stdio: 'ignore' })
    const exit = once(holder, 'exit')
    atEnd(async () => {
      holder.kill('SIGKILL')
      await exit
    })
    for (let tries = 0; readFileSync(`/proc/${holder.pid}/comm`, 'utf8').trim() !== 'sleep'; tries++)
      if (tries > 10_000) throw new Error('no namespace came up')
    within = (lines) =>
      sh(`exec nsenter -t ${holder.pid} -n -m sh -euc "$LINES"`, folder, { LINES: `cd ${folder}\n${lines}` })
    for (const name of ['etc', 'opt', 'var']) {
      const [upper, work] = [join(folder, name), join(folder, `${name}.work`)]
      mkdirSync(upper)
      mkdirSync(work)
      within(`mount -t overlay overlay -o lowerdir=/${name},upperdir=${upper},workdir=${work} /${name}`)
    }
    within(`ip link set lo up && ip addr add ${ADDRESS}/32 dev lo
      echo '127.0.0.1 localhost\n${ADDRESS} ${SHOP} ${CONSOLE} ${OUTSIDE}' >/etc/hosts
      rm -f /etc/resolv.conf && touch /etc/resolv.conf`)
    const podman = `--root ${folder}/images --runroot ${folder}/run --storage-driver vfs --runtime runc --cgroup-manager cgroupfs --network-config-dir ${folder}/networks`
    writeFileSync(
      join(folder, 'podman'),
      // Neither systemd nor the right to raise limits is wanted of the machine that tests.
      `#!/bin/sh\nexport DISABLE_HC_SYSTEMD=true\ncase $1 in run) shift; set -- run --ulimit nofile=4096:8192 --ulimit nproc=4000:4000 "$@" ;; esac\nexec podman ${podman} "$@"\n`,
      { mode: 0o755 },
    )
    compose = (words) =>
      within(
        `cd /opt/hedgerow/deploy/compose && HEDGEROW_VERSION=${version} podman-compose --podman-path ${folder}/podman -p hedgerow -f compose.yaml ${words} 2>&1`,
      )
    atEnd(
      async () => void within(`${folder}/podman rm --all --force; ${folder}/podman network prune --force`),
    )
  }

  const makeImages = () => {
    within(`${folder}/podman load -q -i ${folder}/release/hedgerow-${version}-image-*.tar`)
    sh(
      `debootstrap --variant=minbase --include=nginx-light,postgresql-15 bookworm base >debootstrap.log 2>&1`,
      folder,
    )
    writeFileSync(join(folder, 'base/etc/nginx/nginx.conf'), NGINX_CONF)
    writeFileSync(join(folder, 'base/start-postgres'), POSTGRES_START, { mode: 0o755 })
    within(`tar -C base -c . | ${folder}/podman import -q - docker.io/library/nginx:1.29
      printf 'FROM docker.io/library/nginx:1.29\nENTRYPOINT ["/start-postgres"]\nSTOPSIGNAL SIGINT\n' >postgres.file
      buildah --root ${folder}/images --runroot ${folder}/run --storage-driver vfs bud -q --isolation chroot -f postgres.file -t docker.io/library/postgres:17 .
      rm -r base`)
  }

  const makeOutside = () => {
    sh(
      `openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=Test CA" -keyout ca.key -out ca.pem
      openssl req -newkey rsa:2048 -nodes -subj "/CN=${SHOP}" -keyout key.pem -out request.pem
      printf 'subjectAltName=DNS:${SHOP},DNS:${CONSOLE},DNS:${OUTSIDE},IP:${ADDRESS}' >names
      openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 20 -extfile names -out cert.pem`,
      folder,
    )
    writeFileSync(join(folder, 'tls.cjs'), TLS_BEFORE)
    writeFileSync(
      join(folder, 'hedgerow.env'),
      `NODE_ENV=production
PUBLIC_URL=https://${SHOP}
CONSOLE_URL=https://${CONSOLE}
SMTP_URL=smtps://${ADDRESS}:4465
MAIL_FROM=Quickset <hello@${SHOP}>
OPERATOR_EMAIL=operator@${SHOP}
GATE_URL=https://${OUTSIDE}:3443
GATE_PROJECT_ID=57123
GATE_SECRET=${sh('openssl rand -hex 24', folder).trim()}
KEY_ENCRYPTION_KEY=${sh('openssl rand -base64 32', folder).trim()}
LEGAL_REVIEWED=${new Date().toISOString().slice(0, 10)}
NODE_EXTRA_CA_CERTS=/etc/hedgerow/ca/ca.pem
${PAGES.replaceAll('"', '').split('\n').slice(1).join('\n')}`,
    )
    within(`export GATE_SECRET=$(sed -n 's/^GATE_SECRET=//p' hedgerow.env) GATE_PROJECT_ID=57123 NODE_EXTRA_CA_CERTS=${folder}/ca.pem
      cd ${ROOT}
      nohup "${process.execPath}" apps/sandbox/src/main.ts >${folder}/sandbox.log 2>&1 & echo $! >${folder}/sandbox.pid
      nohup "${process.execPath}" -e "$(cat ${folder}/tls.cjs)" ${folder} >${folder}/tls.log 2>&1 & echo $! >${folder}/tls.pid
      until curl -fs -o /dev/null http://localhost:3001/; do sleep 0.2; done`)
    atEnd(async () => void sh('kill $(cat sandbox.pid) $(cat tls.pid)', folder))
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hedgerow-compose-'))
    atEnd(async () => rmSync(folder, { recursive: true, force: true }))
    makeRelease()
    await makeMachine()
    makeImages()
    makeOutside()
  }, HOUR)
  afterAll(end, HOUR)

  const answers = (url: string) =>
    within(`for try in $(seq 120); do
      code=$(curl -s -o /dev/null -H 'Accept: text/html' -w '%{http_code}' --cacert ca.pem ${url}) && [ "$code" = 200 ] && exit; sleep 0.5
    done; echo "${url} answers $code"; ${folder}/podman logs hedgerow_shop_1 2>&1 | tail -n 5; ${folder}/podman logs hedgerow_proxy_1 2>&1 | tail -n 5; exit 1`)
  const buy = () =>
    within(`cd ${ROOT}/e2e
      SHOP_URL=https://${SHOP} SANDBOX_URL=http://localhost:3001 NODE_EXTRA_CA_CERTS=${folder}/ca.pem "${process.execPath}" --input-type=module -e "
        const { anAccount, aPurchase } = await import('./customers.ts')
        await aPurchase(await anAccount())"`)
  const sql = (statement: string) =>
    within(
      `${folder}/podman exec hedgerow_database_1 psql -XAtq -U hedgerow -c "${statement}" hedgerow`,
    ).trim()
  const paid = () => Number(sql("select count(*) from payments where status = 'Success'"))

  test(
    'sells through nginx with TLS, shows the console, is backed up, and keeps everything when it is made anew',
    () => {
      within(`tar -xzf release/hedgerow-${version}.tar.gz -C /opt && ln -s hedgerow-${version} /opt/hedgerow
        mkdir -p /etc/hedgerow && sed 's/^MAIL_FROM=.*/MAIL_FROM="Quickset"/' hedgerow.env >/etc/hedgerow/hedgerow.env`)
      expect(() => within('sh /opt/hedgerow/deploy/compose/prepare.sh')).toThrow(
        /take them away in these lines/,
      )
      within('cp hedgerow.env /etc/hedgerow/hedgerow.env')
      expect(within('sh /opt/hedgerow/deploy/compose/prepare.sh')).toContain(
        `Still needed: /etc/letsencrypt/live/${CONSOLE}/fullchain.pem`,
      )
      within(`cp ca.pem /etc/hedgerow/ca/ && chmod 0644 /etc/hedgerow/ca/ca.pem
        for name in ${SHOP} ${CONSOLE}; do
          mkdir -p /etc/letsencrypt/live/$name
          cp cert.pem /etc/letsencrypt/live/$name/fullchain.pem; cp key.pem /etc/letsencrypt/live/$name/privkey.pem
        done`)
      compose('up -d')
      answers(`https://${SHOP}/`)
      answers(`https://${CONSOLE}/`)
      const page = (url: string) => within(`curl -s --cacert ca.pem -H 'Accept: text/html' ${url}`)
      expect(page(`https://${SHOP}/`)).toContain('Quickset Limited')
      expect(page(`https://${CONSOLE}/`)).toContain('content="Quickset"')
      expect(page(`https://${SHOP}/away/503.html`)).toContain('Quickset')
      expect(within("ss -Hltn | awk '{ print $4 }' | sort -u")).not.toMatch(/:(?:3000|3002|5432|9464)$/m)

      // In the place of a second machine with an agent; it counts as heard of until tomorrow.
      sql(`insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, agent_hash, seen_at)
        values (gen_random_uuid(), 'London 1', '192.0.2.9:51820', 'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY=', '10.0.0.0/16', 'fd00::/64', decode(repeat('ab', 32), 'hex'), now() + interval '1 day')`)
      buy()
      expect(paid()).toBe(1)

      const ops = `${folder}/podman exec hedgerow_shop_1 node apps/api/src/ops.ts`
      const made = JSON.parse(within(`${ops} backup --json`)) as { file: string }
      expect(within(`${ops} restore ${made.file} --check`)).toContain('is whole')

      // After 10 s podman would kill it, and the code be 137.
      within(`${folder}/podman stop hedgerow_shop_1`)
      expect(within(`${folder}/podman inspect -f '{{.State.ExitCode}}' hedgerow_shop_1`).trim()).toBe('0')
      // A new shop has another address: nginx finds it.
      compose('down')
      compose('up -d')
      answers(`https://${SHOP}/`)
      within(`${folder}/podman restart hedgerow_shop_1`)
      answers(`https://${CONSOLE}/`)
      buy()
      expect(paid()).toBe(2)
      compose('down -v')
      expect(within(`${folder}/podman ps --all --quiet; ${folder}/podman volume ls -q`)).toBe('')
    },
    HOUR,
  )
})
