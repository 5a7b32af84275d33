import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from './call.ts'

export type GatewayProxy = {
  url: string
  /** What the shop has asked the gateway so far. */
  calls: { path: string; body: Json }[]
  close: () => Promise<void>
}

/** Stands between shop and gateway, and writes down what the shop asks. */
export const startGatewayProxy = async (gatewayUrl: string): Promise<GatewayProxy> => {
  const calls: GatewayProxy['calls'] = []
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString()
      const path = request.url ?? ''
      calls.push({ path, body: JSON.parse(text) })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(gatewayUrl + path, { method: 'POST', headers, body: text })
      response.writeHead(answer.status, headers).end(await answer.text())
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
