import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { responsesWith } from '#platform/http/security-headers.ts'

const answeredBy = async (answer: (response: ServerResponse) => void) => {
  const ServerResponse = responsesWith({ 'x-common': 'ours', 'x-other': 'ours' })
  const server = createServer({ ServerResponse }, (_request, response) => answer(response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  server.close()
  return [headers.get('x-common'), headers.get('x-other'), headers.get('x-own')]
}

test.each<[string, (response: ServerResponse) => void]>([
  ['at once', (response) => response.writeHead(200, { 'x-common': 'its own', 'x-own': 'too' }).end()],
  ['as a list', (response) => response.writeHead(200, ['x-common', 'its own', 'x-own', 'too']).end()],
  [
    'with a message',
    (response) => response.writeHead(200, 'OK', { 'x-common': 'its own', 'x-own': 'too' }).end(),
  ],
  [
    'before',
    (response) => {
      response.setHeader('x-common', 'its own')
      response.writeHead(200, { 'x-own': 'too' }).end()
    },
  ],
  [
    'before, and no head is written',
    (response) => {
      response.setHeader('x-common', 'its own')
      response.setHeader('x-own', 'too')
      response.end()
    },
  ],
])('an answer that gives its headers %s has the common ones besides its own', async (_, answer) => {
  expect(await answeredBy(answer)).toEqual(['its own', 'ours', 'too'])
})

test('an answer without any headers has the common ones', async () => {
  expect(await answeredBy((response) => response.end())).toEqual(['ours', 'ours', null])
})
