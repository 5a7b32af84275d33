import { Agent, createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '@hedgerow/testing/until'
import { expect, onTestFinished, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { cardBody } from '#testing/payments.ts'
import { openGround, startFront } from '#testing/test-shop.ts'

/** A gateway that takes its time: it answers when the test says so. */
const aSlowGateway = async () => {
  const held: ServerResponse[] = []
  const server = createServer((call, response) => {
    call.resume()
    held.push(response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    answer: () => {
      for (const response of held) response.end('{"status":"success"}')
    },
  }
}

/** Posts over a connection that the client keeps open, as browsers do. */
const postKeepingOpen = (url: string, token: string, body: unknown): Promise<number> => {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return new Promise((answered, failed) => {
    const call = request(url, { method: 'POST', agent, headers }, (reply) => {
      reply.resume()
      reply.on('end', () => answered(reply.statusCode ?? 0))
    })
    call.on('error', failed)
    call.end(JSON.stringify(body))
  })
}

test('a shop that stops finishes the answer that is under way, and then does not wait', async () => {
  const gateway = await aSlowGateway()
  const { close, ...ground } = await openGround({ env: { GATE_URL: gateway.url } })
  onTestFinished(close)
  const front = await startFront(ground)
  const customer = await aCustomer(ground)
  const order = await anOrder(front, customer)
  const url = `${front.url}/api/v1/orders/${order.orderId}`
  const paid = postKeepingOpen(url, customer.token, cardBody(order))
  await until(() => gateway.held.length > 0)
  const stopped = front.stop()
  gateway.answer()
  expect(await paid).toBe(200)
  await stopped
})
