/** The two servers of an agent in a process of their own: the page for the expired, and what tells of its health. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerWithPage } from '#network/page.ts'
import { startHealthServer } from '#runtime/health-server.ts'
import { createMetrics } from '#runtime/metrics.ts'

const { registry } = createMetrics(() => ({ peers: 0, revision: 0, silentMs: 0, listNames: new Map() }))
const health = await startHealthServer(registry, () => ({ isHealthy: true, text: 'ok' }), 0)
const shop = { name: 'Hedgerow', renewUrl: 'https://shop.example/products' }
const page = createServer(answerWithPage('10.77.0.1', shop))
page.listen(0, '127.0.0.1')
await once(page, 'listening')

const urlOf = (server: typeof page) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ page: urlOf(page), health: urlOf(health) })
