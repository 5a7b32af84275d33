import { aNode } from '@hedgerow/testing/nodes'
import { aPurchase } from '@hedgerow/testing/payments'
import { expectProblem } from '@hedgerow/testing/problems'
import { onServer } from '@hedgerow/testing/template-database'
import { shopOfFile, startTestShop } from '@hedgerow/testing/test-shop'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { seeToNodes } from '#nodes/see-to-nodes.ts'

const shop = shopOfFile()

describe('GET /healthz and /readyz', () => {
  test('say that the process lives and can serve', async () => {
    expect((await shop.call('GET', '/healthz')).body).toEqual({ status: 'ok' })
    expect((await shop.call('GET', '/readyz')).body).toEqual({ status: 'ready' })
  })

  test('tell a shop without its database from one that is dead, and it recovers by itself', async () => {
    const own = await startTestShop()
    const name = new URL(own.databaseUrl).pathname.slice(1)
    const serverUrl = inject('postgresUrl')
    await onServer(serverUrl, `alter database ${name} with allow_connections false`)
    await onServer(
      serverUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
    const reply = expectProblem(
      await until(async () => {
        const answer = await own.call('GET', '/readyz')
        return answer.status !== 200 && answer
      }),
      503,
    )
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await own.call('GET', '/healthz')).status).toBe(200)
    await onServer(serverUrl, `alter database ${name} with allow_connections true`)
    await until(async () => (await own.call('GET', '/readyz')).status === 200)
    await until(async () => (await sql`select`.execute(own.db)) !== undefined)
    await aPurchase(own)
  })
})

describe('GET /metrics', () => {
  const metrics = async () => (await fetch(shop.metricsUrl)).text()

  test('counts requests by the pattern of their route, never by an id', async () => {
    const { paymentId, order } = await aPurchase(shop)
    const text = await metrics()
    expect(text).toMatch(
      /hedgerow_http_request_seconds_count\{.*route="\/api\/v1\/orders".*status="201".*\} \d+/,
    )
    expect(text).toContain('route="/api/v1/payment/status/:paymentId"')
    expect(text).not.toContain(paymentId)
    expect(text).not.toContain(order.orderId)
  })

  test('tells how many jobs wait and how many were given up', async () => {
    const text = await metrics()
    expect(text).toMatch(/hedgerow_jobs\{state="waiting"\} \d+/)
    expect(text).toMatch(/hedgerow_jobs\{state="given_up"\} 0/)
  })

  test('tells how the nodes stand', async () => {
    const { node } = await aNode(shop)
    const { customer } = await aPurchase(shop)
    await seeToNodes({ db: shop.db })
    const text = await metrics()
    expect(text).toContain('hedgerow_nodes{state="up"} 1')
    expect(text).toContain('hedgerow_nodes{state="down"} 0')
    expect(text).toContain('hedgerow_nodes{state="demonstration"} 1')
    expect(text).toContain(`hedgerow_peers{node="${node.name}"} 3`)
    expect(text).toContain(`hedgerow_pool_free{node="${node.name}"} ${4093 - 3}`)
    expect(text).toMatch(new RegExp(`hedgerow_node_seen_seconds\\{node="${node.name}"\\} \\d`))
    expect(text).not.toContain(customer.email)
    await sql`update nodes set removed_at = now() where id = ${node.id}`.execute(shop.db)
    expect(await metrics()).not.toContain(node.name)
  })

  test('is not on the public port', async () => {
    expectProblem(await shop.call('GET', '/metrics'), 404)
  })

  test('has nothing else to say', async () => {
    expect((await fetch(shop.metricsUrl.replace('/metrics', '/'))).status).toBe(404)
  })
})
