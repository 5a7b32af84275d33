import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { CHECK_HOST } from '@hedgerow/domain/nodes'
import { createServer } from '@hedgerow/io/node-http'
import type { Logger } from 'pino'
import { type CheckedNode, checkText } from '#network/check-text.ts'
import { CHECK_IPV4, CHECK_IPV6, PAGE_IPV4, PAGE_IPV6 } from '#network/own-addresses.ts'
import { PAGE_CSP, pageText, type Shop } from '#network/page-text.ts'
import { portIsTaken } from '#network/port-user.ts'
import { Obstacle } from '#runtime/obstacle.ts'

const PORT = 80
const MOST_CONNECTIONS = 10_000
/** Of one customer. Browsers open six. */
const MOST_OF_ONE = 16
const WITHIN_MS = 5_000

/** No page of anyone else's learns by these whether its reader is connected, nor to which node. */
const COMMON = {
  'Cache-Control': 'no-store',
  Connection: 'close',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy': PAGE_CSP,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}
const HTML = 'text/html; charset=utf-8'

const sendPage = (request: IncomingMessage, response: ServerResponse, type: string, body: string): void => {
  response.writeHead(200, {
    ...COMMON,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/**
 * At its own address it is the page; any other site's address is sent there. Phones and browsers look whether a
 * network wants something of them by asking for a site they know: a redirect is the one answer that all of them
 * (Android, iOS, Windows, Firefox) take for such a network, and then they show where it leads.
 */
export const answerWithPage = (host: string, shop: Shop): RequestListener => {
  const page = pageText(shop)
  return (request, response) => {
    request.resume()
    if (request.headers.host !== host) {
      response.writeHead(302, { ...COMMON, Location: `http://${host}/`, 'Content-Length': 0 }).end()
      return
    }
    sendPage(request, response, HTML, page)
  }
}

/** Nobody keeps the page from others by holding all connections. */
const limitEach = (server: Server): void => {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    if (count > MOST_OF_ONE) socket.destroy()
  })
}

const listen = async (server: Server, address: string): Promise<void> => {
  server.listen(PORT, address)
  await once(server, 'listening').catch(async (error) => {
    throw error.code === 'EADDRINUSE' ? new Obstacle(await portIsTaken(PORT), { cause: error }) : error
  })
}

/** Other names may be a stranger's, who had them lead here: a page of theirs would read which node its reader is on. */
const CHECK_ADDRESSES: readonly string[] = [CHECK_IPV4, `[${CHECK_IPV6}]`]

/**
 * What a customer whose connection is open sees: by its name both tunnel and DNS are the node's, by its address the tunnel
 * is. It says the same to everyone, and knows nobody.
 */
const answerWithCheck = (node: Node): RequestListener => {
  const [byName, byAddress] = [true, false].map((isByName) => checkText(node, isByName))
  return (request, response) => {
    request.resume()
    const { host = '' } = request.headers
    const isByName = host === CHECK_HOST
    if (!isByName && !CHECK_ADDRESSES.includes(host)) {
      response.writeHead(421, { ...COMMON, 'Content-Length': 0 }).end()
      return
    }
    const isJson = request.url === '/json'
    const body = isJson
      ? `${JSON.stringify({ connected: true, place: node.name, dns: isByName })}\n`
      : ((isByName ? byName : byAddress) ?? '')
    sendPage(request, response, isJson ? 'application/json' : HTML, body)
  }
}

type Node = CheckedNode & { shop: Shop }

const pagesOf = (node: Node) => {
  const expired = (host: string) => answerWithPage(host, node.shop)
  const check = answerWithCheck(node)
  return [
    { address: PAGE_IPV4, answer: expired(PAGE_IPV4) },
    { address: PAGE_IPV6, answer: expired(`[${PAGE_IPV6}]`) },
    { address: CHECK_IPV4, answer: check },
    { address: CHECK_IPV6, answer: check },
  ]
}

/** The pages for the expired and for who asks whether they are connected, on IPv4 and IPv6. They log no requests. */
export const createPages = (node: Node, log: Logger) => {
  const open = new Map<string, Server>()

  /** Returns whether one of their addresses was dead. */
  const ensure = async (): Promise<boolean> => {
    let wasDead = false
    for (const { address, answer } of pagesOf(node)) {
      if (open.get(address)?.listening) continue
      const server = createServer(
        {
          requestTimeout: WITHIN_MS,
          headersTimeout: WITHIN_MS,
          // Node.js looks every 30 s otherwise.
          connectionsCheckingInterval: WITHIN_MS,
        },
        answer,
      )
      server.maxConnections = MOST_CONNECTIONS
      limitEach(server)
      await listen(server, address)
      server.on('error', (error) => log.error({ err: error }, 'A page of the node has failed'))
      open.set(address, server)
      wasDead = true
    }
    return wasDead
  }

  const stop = async (): Promise<void> => {
    for (const server of open.values()) {
      server.close()
      server.closeAllConnections()
    }
    open.clear()
  }
  return { ensure, stop }
}
