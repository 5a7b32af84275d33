import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type AgentNode,
  type AgentPeer,
  type AgentReport,
  agentChanges,
  agentReport,
  CHANGES_AT_ONCE,
  enrolAgent,
} from '@hedgerow/contract/agents'
import type { AtEnd } from '@hedgerow/testing/namespaces'
import * as z from 'zod/mini'

type Row = { revision: number; id: string; publicKey: string; peer: AgentPeer | undefined }
/** A text is sent as it is, as a proxy before the shop would. */
type Reply = { status: number; body?: unknown }

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text ? JSON.parse(text) : undefined
}

/** The node's peers by their revisions, and the polls that wait for the next one. */
const createRows = (node: AgentNode) => {
  const rows = new Map<string, Row>()
  const waiting = new Set<() => void>()
  let revision = 0
  /** Revisions up to this one are forgotten. */
  let forgottenTo = 0

  const put = (peers: readonly AgentPeer[], isGone = false) => {
    for (const peer of peers) {
      revision++
      rows.delete(peer.id)
      rows.set(peer.id, { revision, id: peer.id, publicKey: peer.publicKey, peer: isGone ? undefined : peer })
    }
    wake()
  }
  const wake = () => {
    for (const go of waiting) go()
  }
  return {
    put,
    wake,
    revision: () => revision,
    isNew: (since: number) => revision > since || since < forgottenTo,
    changesSince: (since: number) => {
      const later = [...rows.values()].filter((row) => row.revision > since)
      const page = later.slice(0, CHANGES_AT_ONCE)
      const hasMore = later.length > page.length
      return {
        node,
        revision: hasMore ? (page.at(-1)?.revision ?? since) : revision,
        hasMore,
        isForgotten: since > 0 && since < forgottenTo,
        peers: page.flatMap(({ peer }) => peer ?? []),
        gone: page.flatMap(({ id, publicKey, peer }) => (peer ? [] : [{ id, publicKey }])),
      }
    },
    waitForChange: (seconds: number, request: IncomingMessage) =>
      new Promise<void>((go) => {
        const timer = setTimeout(go, seconds * 1000)
        waiting.add(go)
        request.once('close', go)
        timer.unref()
      }),
    /** They are so from now on, without a notification. */
    know: (...peers: AgentPeer[]) => {
      for (const peer of peers) {
        const row = rows.get(peer.id)
        if (row) row.peer = peer
      }
    },
    /** Rows vanish without a word, and so does what was sent before. */
    forget: (...peers: AgentPeer[]) => {
      for (const { id } of peers) rows.delete(id)
      revision++
      forgottenTo = revision
      wake()
    },
  }
}

/** What the shop has heard, and what tests make it do wrong. */
const createSituation = () => ({
  reports: [] as AgentReport[],
  polls: [] as { since: number; answered: number }[],
  enrolments: 0,
  /** What the agent said last of what does not work. */
  faults: undefined as string | undefined,
  /** Of the shop's own peer, as the agent said last. */
  shopKey: undefined as string | undefined,
  nodePublicKey: '',
  secret: undefined as string | undefined,
  clockAheadMs: 0,
  /** The next answer breaks off before its end. */
  isCut: false,
  /** By the contract, before it is sent. */
  isChecked: true,
  /** Taken in the place of the next answer, one by one. */
  instead: [] as (Reply | 'hang up')[],
})

type Rows = ReturnType<typeof createRows>
type Situation = ReturnType<typeof createSituation>

const createProtocol = (node: AgentNode, token: string, rows: Rows, now: Situation) => {
  const changes = async (url: URL, request: IncomingMessage): Promise<Reply> => {
    const query = z.safeParse(agentChanges.schema.querystring, Object.fromEntries(url.searchParams))
    if (!query.success) return { status: 422 }
    const { since, wait, faults, shopKey } = query.data
    now.shopKey = shopKey
    if (faults !== undefined) now.faults = faults
    if (!rows.isNew(since) && wait > 0) await rows.waitForChange(wait, request)
    const body = rows.changesSince(since)
    now.polls.push({ since, answered: body.peers.length + body.gone.length })
    return { status: 200, body: now.isChecked ? z.parse(agentChanges.schema.response[200], body) : body }
  }
  const enrol = (body: unknown): Reply => {
    const { success, data } = z.safeParse(enrolAgent.schema.body, body)
    if (!success) return { status: 422 }
    if (data.token !== token || (now.secret && now.secret !== data.secret)) return { status: 401 }
    now.secret = data.secret
    now.nodePublicKey = data.publicKey
    now.enrolments++
    return { status: 200, body: node }
  }
  const report = (body: unknown): Reply => {
    const { success, data } = z.safeParse(agentReport.schema.body, body)
    if (!success) return { status: 422 }
    now.reports.push(data)
    return { status: 200, body: {} }
  }
  return async (request: IncomingMessage): Promise<Reply | 'hang up'> => {
    const url = new URL(request.url ?? '', 'http://shop.example')
    const body = await readBody(request)
    if (url.pathname === enrolAgent.url) {
      const usual = enrol(body)
      return now.instead.shift() ?? usual
    }
    if (!now.secret || request.headers.authorization !== `Bearer ${now.secret}`) return { status: 401 }
    if (url.pathname !== agentChanges.url) return report(body)
    return now.instead.shift() ?? changes(url, request)
  }
}

const send = (now: Situation, reply: Reply, request: IncomingMessage, response: ServerResponse): void => {
  const { status, body = {} } = reply
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
    date: new Date(Date.now() + now.clockAheadMs).toUTCString(),
  })
  if (!now.isCut) return void response.end(text)
  now.isCut = false
  response.write(text.slice(0, -1), () => request.socket.destroy())
}

/** The shop's half of the agents' protocol, over HTTP, with the contract's own checks. It holds one node. */
export const startProtocolShop = async (host: string, node: AgentNode, token: string, atEnd: AtEnd) => {
  const rows = createRows(node)
  const now = createSituation()
  const replyTo = createProtocol(node, token, rows, now)
  const server = createServer(async (request, response) => {
    const reply = await replyTo(request)
    if (reply === 'hang up') request.socket.destroy()
    else send(now, reply, request, response)
  })
  await new Promise<void>((ready) => server.listen(0, host, ready))
  const shut = () => {
    server.closeAllConnections()
    server.close()
  }
  atEnd(async () => {
    rows.wake()
    shut()
  })

  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    reports: now.reports,
    polls: now.polls,
    node,
    enrolments: () => now.enrolments,
    faults: () => now.faults,
    shopKey: () => now.shopKey,
    publicKey: () => now.nodePublicKey,
    revision: rows.revision,
    know: rows.know,
    forget: rows.forget,
    set: (...peers: AgentPeer[]) => rows.put(peers),
    remove: (...peers: AgentPeer[]) => rows.put(peers, true),
    /** Whatever they say. */
    setUnchecked: (...peers: AgentPeer[]) => {
      now.isChecked = false
      rows.put(peers)
    },
    insteadOfNext: (...answers: (Reply | 'hang up')[]) => {
      now.instead.push(...answers)
      rows.wake()
    },
    cutNext: () => {
      now.isCut = true
    },
    setClock: (aheadMs: number) => {
      now.clockAheadMs = aheadMs
    },
    /** Cuts the node off: it no longer listens. */
    vanish: async () => shut(),
    refuseAgent: () => {
      now.secret = 'another'
      rows.wake()
    },
  }
}

export type ProtocolShop = Awaited<ReturnType<typeof startProtocolShop>>
