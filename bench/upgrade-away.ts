import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { startShippedNginx } from '../scripts/shipped-nginx.ts'
import { ask } from './upgrade-load.ts'

const LOGS = ['error.log', 'site-error.log', 'access.log']
const CSP = /^default-src 'none'; style-src 'self';/

/** Takes connections and never answers. */
const startHanging = async (port: number): Promise<Server> => {
  const server = createServer(() => undefined)
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  return server
}

/**
 * Puts the shipped site before a shop that is not there, then before one that does not answer, then closes it for
 * maintenance. Returns what customers or programs were not told as they should be, and what nginx's logs give away.
 */
export const judgeAway = async (root: string, folder: string): Promise<string[]> => {
  const [port, tlsPort, httpPort] = [await freePort(), await freePort(), await freePort()]
  const changes = [[/proxy_read_timeout 75s;/, 'proxy_read_timeout 1s;']] as const
  const stop = await startShippedNginx({ root, folder, ports: [port], tlsPort, httpPort, changes })
  const faults: string[] = []
  const secret = randomUUID()
  const expectAway = async (status: number, words: RegExp) => {
    for (const [method, path, type, what] of [
      ['GET', `/payment/result/${secret}`, 'text/html; charset=utf-8', words],
      ['POST', `/payment/result/${secret}`, 'text/html; charset=utf-8', words],
      ['GET', `/reset/${secret}`, 'text/html; charset=utf-8', words],
      ['POST', `/api/v1/payment/challenge/${secret}`, 'application/problem+json', /"detail":"We /],
      ['GET', `/api/v1/payment/status/${secret}`, 'application/problem+json', /"status":50\d/],
    ] as const) {
      const { headers, body, ...answer } = await ask(tlsPort, method, path)
      const isRight =
        answer.status === status &&
        headers['content-type'] === type &&
        headers['retry-after'] !== undefined &&
        CSP.test(String(headers['content-security-policy'])) &&
        headers['strict-transport-security'] !== undefined &&
        what.test(body) &&
        !/<script/.test(body)
      if (!isRight)
        faults.push(`${method} ${path.replace(secret, 'ID')}: ${answer.status} ${headers['content-type']}`)
    }
    const { status: found } = await ask(tlsPort, 'GET', '/away/away.css')
    if (found !== 200) faults.push(`the style of the page at ${status}: ${found}`)
  }
  try {
    await expectAway(502, /The shop did not answer/)
    const hanging = await startHanging(port)
    await expectAway(504, /The shop did not answer/)
    hanging.close()
    await writeFile(join(folder, 'maintenance'), '')
    await expectAway(503, /Back shortly/)
    await rm(join(folder, 'maintenance'))
    const { status } = await ask(tlsPort, 'GET', '/')
    if (status !== 502) faults.push(`after the maintenance: ${status}`)
  } finally {
    await stop()
  }
  for (const log of LOGS)
    if ((await readFile(join(folder, log), 'utf8').catch(() => '')).includes(secret))
      faults.push(`${log} holds the ids of payments`)
  return faults
}
