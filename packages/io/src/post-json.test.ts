import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { postJson, receive, whyNot } from './post-json.ts'

const SOON = () => AbortSignal.timeout(5_000)

const serve = async (answer: RequestListener) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  const opened: Socket[] = []
  server.on('connection', (socket) => opened.push(socket))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, opened }
}

const failureOf = (call: Promise<unknown>) => call.then(() => 'none', whyNot)

test('one call after the other goes over one connection, and says what it was given', async () => {
  const { url, opened } = await serve(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    response.writeHead(418).end(`${request.method} ${request.headers['content-type']} ${body} é`)
  })
  for (const _ of [1, 2, 3])
    expect(await postJson(url, '{"a":1}', { signal: SOON() })).toMatchObject({
      status: 418,
      text: 'POST application/json {"a":1} é',
    })
  expect(opened).toHaveLength(1)
})

test('a connection that the other side has closed meanwhile is not used again', async () => {
  const { url, opened } = await serve((_, response) => response.end('{}'))
  await postJson(url, '{}', { signal: SOON() })
  const closed = once(opened[0] as Socket, 'close')
  opened[0]?.end()
  await closed
  expect((await postJson(url, '{}', { signal: SOON() })).status).toBe(200)
  expect(opened).toHaveLength(2)
})

test('of what is too long no more is read', async () => {
  const { url } = await serve((_, response) => response.end('x'.repeat(100_000)))
  expect(await failureOf(postJson(url, '{}', { signal: SOON(), mostBytes: 99_999 }))).toBe('TOO_LONG')
  expect((await postJson(url, '{}', { signal: SOON(), mostBytes: 100_000 })).text).toHaveLength(100_000)
})

test('an answer that breaks off is none', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('half')
    setTimeout(() => response.destroy(), 20)
  })
  expect(await failureOf(postJson(url, '{}', { signal: SOON() }))).toBe('ECONNRESET')
})

test('a server that does not answer is waited for as long as the signal says, also in the middle of an answer', async () => {
  const silent = await serve(() => undefined)
  const slow = await serve((_, response) => void response.writeHead(200).write('half'))
  for (const { url } of [silent, slow])
    expect(await failureOf(postJson(url, '{}', { signal: AbortSignal.timeout(100) }))).toBe('TimeoutError')
})

test('a redirect is no answer, and is not followed', async () => {
  const { url } = await serve((_, response) => response.writeHead(301, { location: '/other' }).end('moved'))
  for (const call of [postJson(url, '{}', { signal: SOON() }), receive(url, { signal: SOON() })])
    expect(await failureOf(call)).toBe('REDIRECT')
})

test('no server is reported by its code', async () => {
  const { url } = await serve(() => undefined)
  const gone = url.replace(/:\d+\//, ':9/')
  expect(await failureOf(postJson(gone, '{}', { signal: SOON() }))).toBe('ECONNREFUSED')
})
