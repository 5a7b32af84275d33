import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Logger } from 'pino'
import { PAGE_IPV4, PAGE_IPV6 } from '#network/own-addresses.ts'
import { PAGE_CSP, pageText, type Shop } from '#network/page-text.ts'

const PLACES = [
  { address: PAGE_IPV4, host: PAGE_IPV4 },
  { address: PAGE_IPV6, host: `[${PAGE_IPV6}]` },
]
const MOST_CONNECTIONS = 10_000
/** Of one customer. Browsers open six. */
const MOST_OF_ONE = 16
const WITHIN_MS = 5_000

/**
 * At its own address it is the page; any other site's address is sent there. Phones and browsers look whether a
 * network wants something of them by asking for a site they know: a redirect is the one answer that all of them
 * (Android, iOS, Windows, Firefox) take for such a network, and then they show where it leads.
 */
export const answerWithPage = (host: string, shop: Shop): RequestListener => {
  const page = pageText(shop)
  return (request, response) => {
    const common = { 'Cache-Control': 'no-store', Connection: 'close' }
    request.resume()
    if (request.headers.host !== host) {
      response.writeHead(302, { ...common, Location: `http://${host}/`, 'Content-Length': 0 }).end()
      return
    }
    response.writeHead(200, {
      ...common,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(page),
      'Content-Security-Policy': PAGE_CSP,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    })
    response.end(request.method === 'HEAD' ? undefined : page)
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
  server.listen(80, address)
  await once(server, 'listening')
}

/** The page for the expired, on IPv4 and IPv6. It logs no requests. */
export const createPage = (shop: Shop, log: Logger) => {
  const open = new Map<string, Server>()

  /** Returns whether one of its addresses was dead. */
  const ensure = async (): Promise<boolean> => {
    let wasDead = false
    for (const { address, host } of PLACES) {
      if (open.get(address)?.listening) continue
      const server = createServer(
        {
          requestTimeout: WITHIN_MS,
          headersTimeout: WITHIN_MS,
          // Node.js looks every 30 s otherwise.
          connectionsCheckingInterval: WITHIN_MS,
        },
        answerWithPage(host, shop),
      )
      server.maxConnections = MOST_CONNECTIONS
      limitEach(server)
      await listen(server, address)
      server.on('error', (error) => log.error({ err: error }, 'The page for the expired has failed'))
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
