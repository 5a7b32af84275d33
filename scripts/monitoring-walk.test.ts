import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEnd } from '@hedgerow/testing/namespaces'
import { IS_LONG } from '@hedgerow/testing/strength'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Machine, missingForMachines, startDebian } from './debian-machine.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HOUR = 3_600_000
const why = IS_LONG ? missingForMachines() : 'only npm run test:long does it'

/** The shop's figures, as a shop answers whose check of the gateway fails; and a mail server that keeps what it is given. */
const SHOP_AND_MAIL = `
import http.server, socketserver, threading
class Metrics(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
        self.wfile.write(b'hedgerow_database_up 1\\nhedgerow_check_failing{check="gateway"} 1\\n')
class Mail(socketserver.StreamRequestHandler):
    def handle(self):
        say = lambda line: self.wfile.write((line + '\\r\\n').encode())
        say('220 mail')
        for line in self.rfile:
            word = line[:4].upper().decode()
            if word == 'EHLO': say('250 mail')
            elif word == 'DATA':
                say('354 go on')
                with open('/tmp/mails', 'ab') as mails:
                    for text in self.rfile:
                        if text == b'.\\r\\n': break
                        mails.write(text)
                say('250 taken')
            elif word == 'QUIT': return say('221 bye')
            else: say('250 well')
threading.Thread(target=http.server.HTTPServer(('127.0.0.1', 9464), Metrics).serve_forever, daemon=True).start()
socketserver.ThreadingTCPServer(('127.0.0.1', 2525), Mail).serve_forever()
`

/** The commands that the page gives for setting it up. */
const documented = (): string => {
  const page = readFileSync(join(ROOT, 'docs/logs-and-metrics.md'), 'utf8')
  const [, commands = ''] =
    /```sh\n(apt-get install --no-install-recommends prometheus [^`]*)```/.exec(page) ?? []
  return commands
}

describe.skipIf(why !== undefined)('monitoring set up by docs/logs-and-metrics.md', () => {
  const { atEnd, end } = createEnd()
  let machine: Machine

  beforeAll(async () => {
    machine = await startDebian({ suite: 'bookworm', folders: { [ROOT]: '/srv/source' } })
    atEnd(machine.stop)
  }, HOUR)
  afterAll(end, HOUR)

  test(
    'listens on this machine alone, sees the shop, and mails an alert of a check that fails',
    async () => {
      await machine.run(`apt-get update -qq && apt-get install -y -qq --no-install-recommends python3 curl
        cat >/tmp/shop-and-mail.py <<'END'${SHOP_AND_MAIL}END
        nohup python3 /tmp/shop-and-mail.py >/tmp/shop-and-mail.log 2>&1 &`)
      const [install = '', ...rest] = documented().split('\n')
      // What is the operator's own is put in where the page says so.
      const lines = rest.map((line) =>
        line.startsWith('# put in your mail server')
          ? `sed -i "s/'smtp.example.com:587'/'127.0.0.1:2525'\\n  smtp_require_tls: false/" /etc/prometheus/alertmanager.yml`
          : line,
      )
      const listening = await machine.run(`set -e; cd /srv/source
        export DEBIAN_FRONTEND=noninteractive
        ${install.replace('apt-get install', 'apt-get install -y -qq')} >/tmp/apt.log
        ${lines.join('\n')}`)
      const places = listening.split('\n').filter((line) => line.startsWith('LISTEN'))
      expect(places).toHaveLength(2)
      for (const place of places) expect(place).toMatch(/ 127\.0\.0\.1:909[03] /)
      await machine.run(
        `cd /srv/source/deploy/prometheus && promtool check rules alerts.yml database.yml && promtool test rules alerts.test.yml database.test.yml`,
      )
      await machine.run(`for try in $(seq 120); do
          curl -fs http://127.0.0.1:9090/api/v1/targets | grep -q '"health":"up"' && exit; sleep 1
        done; exit 1`)
      for (const alert of ['Test', 'CheckFailing'])
        await machine.run(`for try in $(seq 240); do grep -q '^Subject: .*${alert}' /tmp/mails && exit; sleep 1; done
          cat /tmp/mails; curl -s http://127.0.0.1:9090/api/v1/alerts; exit 1`)
    },
    HOUR,
  )
})
