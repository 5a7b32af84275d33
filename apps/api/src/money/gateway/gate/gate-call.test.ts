import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loggedError } from '@hedgerow/domain/logged-error'
import { expect, onTestFinished, test } from 'vitest'
import { createGateCall } from '#money/gateway/gate/gate-call.ts'

const listen = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Answers whatever is asked, and keeps what was. */
const aServer = () => {
  const asked: string[] = []
  const answer: RequestListener = ({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"success"}')
  }
  return { asked, answer }
}

/** Makes a call there. Returns its outcome, and what was heard of it. */
const ask = async (url: string) => {
  const heard: [string, unknown][] = []
  const gate = { url, projectId: 1, secret: 'a secret of this test', isExtended3ds: false, pageUrl: '' }
  const call = createGateCall(gate, (path, error) => void heard.push([path, error]))
  const outcome = await call.accept('card/sale', { payment_id: 'p' }, { card: { pan: '4000000000000077' } })
  return { outcome, heard, said: JSON.stringify(heard.map(([path, error]) => [path, loggedError(error)])) }
}

test('a call that is answered is no silence', async () => {
  const { asked, answer } = aServer()
  const { outcome, heard } = await ask(`http://${await listen(createServer(answer))}`)
  expect(outcome).toMatchObject({ kind: 'accepted' })
  expect([asked, heard]).toEqual([['/v2/payment/card/sale'], []])
})

test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed, and is named', async (status) => {
  const elsewhere = aServer()
  const there = await listen(createServer(elsewhere.answer))
  const here = createServer((_, response) =>
    response.writeHead(status, { location: `http://${there}/v2/payment/card/sale` }).end(),
  )
  const { outcome, heard } = await ask(`http://${await listen(here)}`)
  expect(outcome).toMatchObject({ kind: 'unknown' })
  expect(heard).toHaveLength(1)
  expect(elsewhere.asked).toEqual([])
})

test('a gateway that speaks no TLS where it should is named, and what was to be sent is not', async () => {
  const { asked, answer } = aServer()
  const { outcome, said } = await ask(`https://${await listen(createServer(answer))}`)
  expect(outcome).toMatchObject({ kind: 'unknown' })
  expect(said).toMatch(/"payment\/card\/sale".*wrong version number/)
  expect(said).not.toContain('4000000000000077')
  expect(asked).toEqual([])
})

const OPENSSL = '/usr/bin/openssl'

test.skipIf(!existsSync(OPENSSL))('a certificate of an unknown issuer is refused, and named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-certificate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  execFileSync(OPENSSL, ['req', '-x509', ...newKey, '-out', certFile, ...subject], { stdio: 'ignore' })
  const { asked, answer } = aServer()
  const server = createTlsServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, answer)
  const { outcome, said } = await ask(`https://${await listen(server)}`)
  expect(outcome).toMatchObject({ kind: 'unknown' })
  expect(said).toContain('"code":"DEPTH_ZERO_SELF_SIGNED_CERT"')
  expect(asked).toEqual([])
})
