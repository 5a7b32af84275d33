import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEnd } from '@hedgerow/testing/namespaces'
import { IS_LONG } from '@hedgerow/testing/strength'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Machine, missingForMachines, startDebian } from './debian-machine.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HOUR = 3_600_000
const FOLDER = '/var/lib/postgresql/15/main'
const why = IS_LONG ? missingForMachines() : 'only npm run test:long does it'

/** A shop of this clone with the sandbox, on the machine's own PostgreSQL. */
const SETTINGS = `PATH=/srv/source/node_modules/.bin:$PATH
DATABASE_URL=postgres://hedgerow:q3v8Zt1mK0@127.0.0.1/hedgerow
KEY_ENCRYPTION_KEY=q0mBAz0H8E6U4Z1nGZ3m9n2Yq1v5b7w9s0d3f6h8j2k=
GATE_URL=http://localhost:3001
GATE_PROJECT_ID=57123
GATE_SECRET=9f8e7d6c5b4a39281706f5e4d3c2b1a0
SMTP_URL=smtp://127.0.0.1:2525
MAIL_FROM=shop@example.com
OPERATOR_EMAIL=operator@example.com
SHOP_URL=http://localhost:3000
SANDBOX_URL=http://localhost:3001
DATA_DIR=/tmp/shop
SANDBOX_DATA_DIR=/tmp/sandbox
`

/** The page's commands under "Back to a point in time", those for Debian's own server. */
const page = () => readFileSync(join(ROOT, 'docs/database.md'), 'utf8')
const documented = (beginning: string): string => {
  const line = page()
    .split('\n')
    .find((one) => one.trim().startsWith(beginning))
  if (!line) throw new Error(`docs/database.md has no line ${beginning}`)
  return line.trim()
}

describe.skipIf(why !== undefined)(
  'a way back to a point in time, by docs/database.md without Patroni',
  () => {
    const { atEnd, end } = createEnd()
    let machine: Machine

    beforeAll(async () => {
      machine = await startDebian({ suite: 'bookworm', folders: { [ROOT]: '/srv/source' } })
      atEnd(machine.stop)
    }, HOUR)
    afterAll(end, HOUR)

    const shop = (lines: string) =>
      machine.run(`set -e; cd /srv/source; set -a; . /root/shop.env; set +a\n${lines}`)
    const postgres = (lines: string) =>
      machine.run(
        `cat >/tmp/lines <<'END'\nset -e\n${lines}\nEND\ncd /tmp && runuser -u postgres -- sh /tmp/lines`,
      )
    const start = () =>
      shop(`nohup node apps/api/src/main.ts >>/tmp/shop.log 2>&1 & echo $! >/tmp/shop.pid
      for try in $(seq 240); do curl -fs -o /dev/null http://127.0.0.1:3000/readyz && exit; sleep 0.5; done; tail -n 20 /tmp/shop.log; exit 1`)
    const buy = () =>
      shop(`cd e2e && node --input-type=module -e "
      const { anAccount, aPurchase } = await import('/srv/source/e2e/customers.ts')
      await aPurchase(await anAccount())"`)
    const paid = async () =>
      Number(await postgres(`psql -XAtc "select count(*) from payments where status = 'Success'" hedgerow`))

    test(
      'the sales from before a mistake come back, and the shop goes on from there',
      async () => {
        await machine.run(`export DEBIAN_FRONTEND=noninteractive; apt-get update -qq >/dev/null
        apt-get install -y -qq --no-install-recommends postgresql curl >/tmp/apt.log
        cat >/root/shop.env <<'END'\n${SETTINGS}END
        cd /srv/source; ${documented('apt-get install --no-install-recommends pgbackrest').replace('install', 'install -y -qq')} >>/tmp/apt.log
        ${documented('install -m 0640 -g postgres deploy/pgbackrest/pgbackrest.conf').split('#')[0]}
        sed -i '/^repo2/d; s,DATA_FOLDER/data,${FOLDER},; s,SOCKET_FOLDER,/var/run/postgresql,; s/FIRST_PASSPHRASE/a phrase of ours/' /etc/pgbackrest.conf
        cat >>/etc/postgresql/15/main/postgresql.conf <<'END'
archive_mode = 'on'
archive_timeout = '30'
archive_command = 'pgbackrest --stanza=shop archive-push %p'
END
        systemctl restart postgresql`)
        await postgres(`psql -qc "create role hedgerow login password 'q3v8Zt1mK0'" -c "create database hedgerow owner hedgerow encoding 'UTF8' template template0"
        ${documented('pgbackrest --stanza=shop stanza-create')}
        ${documented('pgbackrest --stanza=shop check')}
        ${documented('pgbackrest --stanza=shop --repo=1 --type=full backup')}`)
        await shop(`nohup node apps/sandbox/src/main.ts >/tmp/sandbox.log 2>&1 &
        until curl -fs -o /dev/null http://localhost:3001/; do sleep 0.5; done`)
        await start()
        // In the place of a second machine with an agent; it counts as heard of until tomorrow.
        await postgres(`psql -q hedgerow -c "insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, agent_hash, seen_at)
        values (gen_random_uuid(), 'London 1', '192.0.2.9:51820', 'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY=', '10.0.0.0/16', 'fd00::/64', decode(repeat('ab', 32), 'hex'), now() + interval '1 day')"`)
        await buy()
        await buy()
        const moment = (await postgres('psql -XAtc "select clock_timestamp()"')).trim()
        await buy()
        await postgres('psql -qc "drop database hedgerow with (force)"')
        // What was written last reaches the archive within archive_timeout; nobody waits for it here.
        await postgres('psql -qc "select pg_switch_wal()" >/dev/null')

        await machine.run('kill $(cat /tmp/shop.pid); systemctl stop postgresql')
        await postgres(`mv ${FOLDER} ${FOLDER}.old && mkdir -m 0700 ${FOLDER}
        ${documented('pgbackrest --stanza=shop --type=time').replace(/"--target=[^"]*"/, `"--target=${moment}"`)}
        echo "archive_mode = off" >>${FOLDER}/postgresql.auto.conf`)
        await machine.run('systemctl start postgresql@15-main')
        await postgres(`until [ "$(psql -XAtc "select pg_is_in_recovery()")" = f ]; do sleep 0.5; done`)
        expect(await paid()).toBe(2)
        expect(
          await shop(
            `node apps/api/src/ops.ts restored --to "${moment}" --invoices-from 120 --credit-notes-from 12 --yes`,
          ),
        ).toContain(moment.slice(0, 4))
        await postgres(`sed -i '/^archive_mode = off/d' ${FOLDER}/postgresql.auto.conf`)
        await machine.run('systemctl restart postgresql')
        await postgres(documented('pgbackrest --stanza=shop --repo=1 --type=full backup'))
        await start()
        await buy()
        expect(await paid()).toBe(3)
        // Started by systemd, it is stopped and started by it.
        await machine.run('kill $(cat /tmp/shop.pid); systemctl stop postgresql; systemctl start postgresql')
        expect(await paid()).toBe(3)
      },
      HOUR,
    )
  },
)
