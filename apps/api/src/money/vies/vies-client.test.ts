import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createVies } from '#money/vies/vies-client.ts'

const NUMBER = { prefix: 'DE', rest: '123456789' }

/** A register that answers as set; returns what is made of it, and what the log hears. */
const askOf = async (answer: RequestListener) => {
  const server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const faults: string[] = []
  const viesUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const standing = await createVies({ viesUrl, ossNumber: undefined }, (why) => faults.push(why)).ask(NUMBER)
  return { standing, faults }
}

const saying =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body)

describe('the client of VIES', () => {
  test('asks nothing without an address', async () => {
    const vies = createVies({ viesUrl: undefined, ossNumber: undefined }, () => undefined)
    expect(await vies.ask(NUMBER)).toEqual({ kind: 'unchecked' })
  })

  test.each([
    [
      'a number that is known',
      '{"valid":true,"requestIdentifier":"WAPI1"}',
      { kind: 'valid', consultation: 'WAPI1' },
    ],
    [
      'the holder, without what is not disclosed',
      '{"valid":true,"name":" ACME  SRL","address":"---"}',
      { kind: 'valid', name: 'ACME SRL' },
    ],
    [
      'the lines of an address',
      '{"valid":true,"name":7,"address":"VIA ROMA 1\\n\\n00100 ROMA RM\\n"}',
      { kind: 'valid', address: 'VIA ROMA 1\n00100 ROMA RM' },
    ],
    ['one without an identifier', '{"valid":true,"requestIdentifier":""}', { kind: 'valid' }],
    ['an identifier that is none', '{"valid":true,"requestIdentifier":"<b>"}', { kind: 'valid' }],
    ['a number that is not known', '{"valid":false,"userError":"INVALID"}', { kind: 'invalid' }],
    ['an outage beside "not valid"', '{"valid":false,"userError":"MS_UNAVAILABLE"}', { kind: 'unanswered' }],
    [
      'a fault with HTTP 200',
      '{"actionSucceed":false,"errorWrappers":[{"error":"TIMEOUT"}]}',
      { kind: 'unanswered' },
    ],
    ['"valid" as a text', '{"valid":"true"}', { kind: 'unanswered' }],
    ['an empty object', '{}', { kind: 'unanswered' }],
    ['null', 'null', { kind: 'unanswered' }],
    ['a page', '<html>Maintenance</html>', { kind: 'unanswered' }],
    ['more than it reads', `{"valid":true,"name":"${'x'.repeat(100_000)}"}`, { kind: 'unanswered' }],
  ])('takes %s for what it is', async (_, body, answer) => {
    expect((await askOf(saying(body))).standing).toEqual(answer)
  })

  test('follows it nowhere else', async () => {
    const { standing, faults } = await askOf((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
    })
    expect([standing, faults]).toEqual([{ kind: 'unanswered' }, ['REDIRECT']])
  })

  test('waits a few seconds for it', async () => {
    const { standing, faults } = await askOf(() => undefined)
    expect([standing, faults]).toEqual([{ kind: 'unanswered' }, ['TimeoutError']])
  })

  test('logs a code, and nothing else of the answer', async () => {
    const { faults } = await askOf(
      saying('{"errorWrappers":[{"error":"MS_UNAVAILABLE","message":"DE123456789"}]}', 500),
    )
    expect(faults).toEqual(['MS_UNAVAILABLE'])
    const { faults: odd } = await askOf(saying('{"errorWrappers":[{"error":"DE 123\\n456"}]}', 500))
    expect(odd).toEqual(['NO_ANSWER'])
  })
})
