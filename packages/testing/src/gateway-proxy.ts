import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from './call.ts'

export type GatewayProxy = {
  url: string
  /** What the shop has asked the gateway so far. */
  calls: { path: string; body: Json }[]
  /** From now on calls of these paths are not answered, until the hold is released. */
  hold: (...paths: string[]) => Hold
  close: () => Promise<void>
}

export type Hold = {
  /** How many calls of a path wait for their answer now. */
  count: (path: string) => number
  release: () => void
}

/** Stands between shop and gateway, and writes down what the shop asks. */
export const startGatewayProxy = async (gatewayUrl: string): Promise<GatewayProxy> => {
  const calls: GatewayProxy['calls'] = []
  const waiting = new Map<object, string>()
  let isHeld = (_path: string) => false
  let released = Promise.resolve()
  const hold = (...paths: string[]): Hold => {
    const { promise, resolve } = Promise.withResolvers<void>()
    released = promise
    isHeld = (path) => paths.some((one) => path.endsWith(one))
    return {
      count: (path) => [...waiting.values()].filter((one) => one.endsWith(path)).length,
      release: () => {
        isHeld = () => false
        resolve()
      },
    }
  }
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString()
      const { url: path = '', method = 'POST' } = request
      const type = request.headers['content-type'] ?? ''
      calls.push({ path, body: type.startsWith('application/json') ? JSON.parse(text) : text })
      if (isHeld(path)) {
        waiting.set(response, path)
        response.on('close', () => waiting.delete(response))
        await released
      }
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
      const answer = await fetch(gatewayUrl + path, {
        method,
        headers: headers as Record<string, string>,
        ...(method === 'GET' ? {} : { body: text }),
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    hold,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
