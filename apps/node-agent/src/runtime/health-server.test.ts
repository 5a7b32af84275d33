import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { startHealthServer } from '#runtime/health-server.ts'

test('health and metrics are only read', async () => {
  const server = await startHealthServer(new Registry(), () => ({ isHealthy: true, text: 'well' }), 0)
  onTestFinished(() => void server.close())
  const ask = (method: string, path: string) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method })
  for (const path of ['/healthz', '/metrics']) {
    expect((await ask('GET', path)).status).toBe(200)
    const refused = await ask('POST', path)
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  }
  expect((await ask('POST', '/nothing')).status).toBe(404)
})
