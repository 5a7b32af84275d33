import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { CARD, ORDER } from './shop.ts'

type Answer = { status: number; headers: IncomingHttpHeaders; body: string }

export type Tally = {
  requests: number
  /** What was asked and what came, but for answers that are right. */
  failed: string[]
  pages: number
  broken: string[]
  slowestMs: number
}

export const newTally = (): Tally => ({ requests: 0, failed: [], pages: 0, broken: [], slowestMs: 0 })

const PAGES = ['/', '/products', '/login', '/partnership/referral', '/profile', '/status'] as const
const CALLS = ['/api/v1/shop/items', '/api/v1/user/profile', '/api/v1/locations'] as const
const LATE_MS = 20_000
const READERS = 8

type How = { agent?: Agent; headers?: Record<string, string>; body?: unknown }

/** One request, to a site whose certificate is its own. */
export const ask = (
  port: number,
  method: string,
  path: string,
  { agent, headers = {}, body }: How = {},
): Promise<Answer> =>
  new Promise((answered, failed) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        ...(agent ? { agent } : {}),
        rejectUnauthorized: false,
        timeout: LATE_MS,
        headers: {
          ...headers,
          ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
        },
      },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece) => pieces.push(piece))
        response.on('error', failed)
        response.on('end', () =>
          answered({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(pieces).toString(),
          }),
        )
      },
    )
    call.on('timeout', () => call.destroy(new Error('no answer')))
    call.on('error', failed)
    call.end(text)
  })

/** Someone's browser: a few kept connections from an address of its own, as nginx counts them. */
const openBrowser = (port: number, lane: number, token: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 6, localAddress: `127.0.1.${lane + 1}` })
  return {
    ask: (method: string, path: string, body?: unknown) =>
      ask(port, method, path, {
        agent,
        body,
        headers: path.startsWith('/api/') ? { authorization: `Bearer ${token}` } : { accept: 'text/html' },
      }),
    close: () => agent.destroy(),
  }
}

/** What a document or a script names of the files that it will want. */
const assetsNamedIn = (text: string): string[] => {
  const names = text.matchAll(/(?:\/?assets\/|\.\/)([A-Za-z][\w.-]*-[\w-]{7,8}\.(?:js|css))/g)
  return [...new Set([...names].map(([, name]) => name as string))]
}

export type Load = {
  /** Where the next figures go. */
  tally: Tally
  /** Asks for more, beside what goes on; from several addresses, as nginx counts them. */
  loadAll: (paths: readonly string[]) => Promise<{ path: string; status: number }[]>
  stop: () => Promise<void>
}

/** Customers who read pages, look into their accounts, order and pay, until they are stopped. */
export const startLoad = (port: number, tokens: readonly string[], perSecond: number): Load => {
  const everyMs = (1000 * tokens.length) / perSecond
  let isOver = false
  const asked = async (lane: ReturnType<typeof openBrowser>, ...what: Parameters<typeof lane.ask>) => {
    const { tally } = load
    tally.requests++
    const start = performance.now()
    const name = `${what[0]} ${what[1].replace(/[\da-f-]{36}/, 'ID')}`
    try {
      const answer = await lane.ask(...what)
      if (answer.status >= 400) tally.failed.push(`${name}: ${answer.status} ${answer.body.slice(0, 80)}`)
      return answer
    } catch (error) {
      tally.failed.push(`${name}: ${(error as Error).message}`)
      return undefined
    } finally {
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - start)
    }
  }
  /** A page with every script and style that it can come to want: it is open, and its reader goes on to other pages. */
  const openPage = async (lane: ReturnType<typeof openBrowser>, path: string) => {
    const { tally } = load
    const failedBefore = tally.failed.length
    const document = await asked(lane, 'GET', path)
    tally.pages++
    const named = assetsNamedIn(document?.body ?? '')
    const files = await Promise.all(named.map((name) => asked(lane, 'GET', `/assets/${name}`)))
    const later = new Set(files.flatMap((file) => assetsNamedIn(file?.body ?? '')))
    const wanted = [...later].filter((name) => !named.includes(name))
    for (const name of wanted.slice(0, 12)) await asked(lane, 'GET', `/assets/${name}`)
    if (
      !document ||
      named.length === 0 ||
      tally.failed.slice(failedBefore).some((one) => one.includes('/assets/'))
    )
      tally.broken.push(path)
  }
  const customer = async (token: string, index: number) => {
    const lane = openBrowser(port, index, token)
    for (let round = index; !isOver; round++) {
      const next = performance.now() + everyMs * (0.5 + Math.random())
      if (round % 8 === 0) await openPage(lane, PAGES[(round / 8) % PAGES.length] ?? '/')
      else if (round % 2 === 0) await asked(lane, 'GET', CALLS[(round / 2) % CALLS.length] ?? '/')
      else {
        const order = await asked(lane, 'POST', '/api/v1/orders', ORDER)
        const { orderId } = order && order.status === 201 ? JSON.parse(order.body) : { orderId: undefined }
        if (orderId && round % 4 === 1) await asked(lane, 'POST', `/api/v1/orders/${orderId}`, CARD)
      }
      await pause(Math.max(0, next - performance.now()))
    }
    lane.close()
  }
  const readers = Array.from({ length: READERS }, (_, index) => openBrowser(port, tokens.length + index, ''))
  const load: Load = {
    tally: newTally(),
    loadAll: async (paths) => {
      const read = readers.map(async (reader, index) => {
        const answers: { path: string; status: number }[] = []
        for (const path of paths.filter((_, place) => place % READERS === index))
          answers.push({
            path,
            status: await reader.ask('GET', path).then(
              ({ status }) => status,
              () => 0,
            ),
          })
        return answers
      })
      return (await Promise.all(read)).flat()
    },
    stop: async () => {
      isOver = true
      await lanes
      for (const reader of readers) reader.close()
    },
  }
  const lanes = Promise.all(tokens.map(customer))
  return load
}
