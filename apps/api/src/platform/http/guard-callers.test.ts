import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { guardCallers } from '#platform/http/guard-callers.ts'

test('a caller is asked for before the body, and again once it is there', async () => {
  const app = Fastify()
  const asked: unknown[] = []
  guardCallers(app, 'agent', async ({ body }) => {
    asked.push(body)
    if (body) throw Object.assign(new Error('ended'), { statusCode: 401 })
  })
  app.post('/', { config: { access: 'agent' } }, async () => 'done')
  const payload = Readable.from(['{"a":', '1}'])
  const headers = { 'content-type': 'application/json' }
  expect((await app.inject({ method: 'POST', url: '/', payload, headers })).statusCode).toBe(401)
  expect(asked).toEqual([undefined, { a: 1 }])
})
