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

/** The shop's half of the agents' protocol, over HTTP, with the contract's own checks. It holds one node. */
export const startProtocolShop = async (host: string, node: AgentNode, token: string, atEnd: AtEnd) => {
  const rows = new Map<string, Row>()
  const reports: AgentReport[] = []
  const polls: { since: number; answered: number }[] = []
  const waiting = new Set<() => void>()
  let revision = 0
  let secret: string | undefined
  let enrolments = 0
  let nodePublicKey = ''
  /** Revisions up to this one are forgotten. */
  let forgottenTo = 0
  let clockAheadMs = 0
  let isCut = false
  /** By the contract, before it is sent. */
  let isChecked = true
  /** Taken in the place of the next answer, one by one. */
  const instead: ((path: string) => Reply | 'hang up' | undefined)[] = []

  const put = (id: string, publicKey: string, peer: AgentPeer | undefined) => {
    revision++
    rows.delete(id)
    rows.set(id, { revision, id, publicKey, peer })
  }
  const wake = () => {
    for (const go of waiting) go()
  }
  const answer = (since: number) => {
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
  }
  const isNew = (since: number) => revision > since || since < forgottenTo
  const changes = async (url: URL, request: IncomingMessage): Promise<Reply> => {
    const query = z.safeParse(agentChanges.schema.querystring, Object.fromEntries(url.searchParams))
    if (!query.success) return { status: 422 }
    const { since, wait } = query.data
    if (!isNew(since) && wait > 0)
      await new Promise<void>((go) => {
        const timer = setTimeout(go, wait * 1000)
        waiting.add(go)
        request.once('close', go)
        timer.unref()
      })
    const body = answer(since)
    polls.push({ since, answered: body.peers.length + body.gone.length })
    return { status: 200, body: isChecked ? z.parse(agentChanges.schema.response[200], body) : body }
  }
  const enrol = (body: unknown): Reply => {
    const { success, data } = z.safeParse(enrolAgent.schema.body, body)
    if (!success) return { status: 422 }
    if (data.token !== token || (secret && secret !== data.secret)) return { status: 401 }
    secret = data.secret
    nodePublicKey = data.publicKey
    enrolments++
    return { status: 200, body: node }
  }
  const reply = async (request: IncomingMessage): Promise<Reply | 'hang up'> => {
    const url = new URL(request.url ?? '', 'http://shop.example')
    const body = await readBody(request)
    if (url.pathname === enrolAgent.url) {
      const usual = enrol(body)
      return instead.shift()?.(url.pathname) ?? usual
    }
    if (!secret || request.headers.authorization !== `Bearer ${secret}`) return { status: 401 }
    const other = url.pathname === agentChanges.url ? instead.shift()?.(url.pathname) : undefined
    if (other) return other
    if (url.pathname === agentChanges.url) return changes(url, request)
    const { success, data } = z.safeParse(agentReport.schema.body, body)
    if (!success) return { status: 422 }
    reports.push(data)
    return { status: 200, body: {} }
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const answered = await reply(request)
    if (answered === 'hang up') return void request.socket.destroy()
    const { status, body = {} } = answered
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
      date: new Date(Date.now() + clockAheadMs).toUTCString(),
    })
    if (!isCut) return void response.end(text)
    isCut = false
    response.write(text.slice(0, -1), () => request.socket.destroy())
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((ready) => server.listen(0, host, ready))
  atEnd(async () => {
    wake()
    server.closeAllConnections()
    server.close()
  })

  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    reports,
    polls,
    node,
    enrolments: () => enrolments,
    publicKey: () => nodePublicKey,
    revision: () => revision,
    set: (...peers: AgentPeer[]) => {
      for (const peer of peers) put(peer.id, peer.publicKey, peer)
      wake()
    },
    remove: (...peers: AgentPeer[]) => {
      for (const peer of peers) put(peer.id, peer.publicKey, undefined)
      wake()
    },
    /** Whatever they say. */
    setUnchecked: (...peers: AgentPeer[]) => {
      isChecked = false
      for (const peer of peers) put(peer.id, peer.publicKey, peer)
      wake()
    },
    /** They are so from now on, and nobody is told. */
    know: (...peers: AgentPeer[]) => {
      for (const peer of peers) {
        const row = rows.get(peer.id)
        if (row) row.peer = peer
      }
    },
    /** Rows vanish without a word, and so does what was told before. */
    forget: (...peers: AgentPeer[]) => {
      for (const { id } of peers) rows.delete(id)
      revision++
      forgottenTo = revision
      wake()
    },
    insteadOfNext: (...answers: (Reply | 'hang up')[]) => {
      for (const other of answers) instead.push(() => other)
      wake()
    },
    /** The next answer breaks off before its end. */
    cutNext: () => {
      isCut = true
    },
    setClock: (aheadMs: number) => {
      clockAheadMs = aheadMs
    },
    /** Cuts the node off: nobody listens any more. */
    vanish: async () => {
      server.close()
      server.closeAllConnections()
    },
    refuseAgent: () => {
      secret = 'another'
      wake()
    },
  }
}

export type ProtocolShop = Awaited<ReturnType<typeof startProtocolShop>>
