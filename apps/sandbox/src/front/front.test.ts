import { expect, test } from 'vitest'
import { startTestSandbox } from '#testing/merchant.ts'

test.each([
  ['DELETE', '/gate/faults', 'GET, HEAD, POST, PUT'],
  ['GET', '/v2/payment/card/sale', 'POST'],
  ['POST', '/mail/messages/some', 'GET, HEAD'],
])('%s %s is told that %s leads there', async (method, path, allow) => {
  const { url } = await startTestSandbox()
  const reply = await fetch(url + path, { method })
  expect([reply.status, reply.headers.get('allow')]).toEqual([405, allow])
})

test('what is nowhere is nowhere by any method', async () => {
  const { url } = await startTestSandbox()
  for (const method of ['GET', 'POST', 'PUT'])
    expect((await fetch(`${url}/nothing`, { method })).status).toBe(404)
})
