import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { s3 } from '#care/backup/s3-calls.ts'

type Said = { status?: number; body?: string }

/** Answers as AWS does where the server of the other tests does not. */
const aServer = async (answer: (request: IncomingMessage) => Said) => {
  const server = createServer((request, response) => {
    const { status = 200, body = '' } = answer(request)
    request.resume().on('end', () => response.writeHead(status).end(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hedge/shop`
  return s3({ url, key: 'KEY', secret: 'secret', region: undefined })
}

const NEVER = AbortSignal.any([])
const error = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>of theirs</Message></Error>`

test.each([
  ['a bucket of another region', { status: 301, body: error('PermanentRedirect') }, /BACKUP_S3_REGION/],
  ['a key that may not', { status: 403, body: error('AccessDenied') }, /the key may not do that/],
  ['a clock that is wrong', { status: 403, body: error('RequestTimeTooSkewed') }, /clock is wrong/],
  ['words that nobody knows', { status: 400, body: error('Sorry') }, /refuses: it answers 400 Sorry\.$/],
  ['no words', { status: 503 }, /refuses: it answers 503\.$/],
  ['names of other things', { status: 400, body: error('constructor') }, /it answers 400 constructor\.$/],
])('%s is told', async (_, said, words) => {
  const calls = await aServer(() => said)
  await expect(calls.list('', NEVER)).rejects.toThrow(words)
})

test('an upload that fails after its status was sent has failed', async () => {
  const calls = await aServer(() => ({ body: error('InternalError') }))
  await expect(calls.upload('x', '1').complete(['"a"'], NEVER)).rejects.toThrow(/InternalError/)
})

test('a list goes on over as many pages as there are', async () => {
  const page = (name: string, more: string) =>
    `<ListBucketResult><IsTruncated>${more !== ''}</IsTruncated>${more && `<NextContinuationToken>${more}</NextContinuationToken>`}
      <Contents><Key>shop/${name}</Key><ETag>"e"</ETag><Size>7</Size></Contents></ListBucketResult>`
  const calls = await aServer(({ url = '' }) => ({
    body: url.includes('continuation-token=next%2F1') ? page('b', '') : page('a', 'next/1'),
  }))
  expect(await calls.list('shop/', NEVER)).toEqual([
    { key: 'shop/a', bytes: 7 },
    { key: 'shop/b', bytes: 7 },
  ])
})
