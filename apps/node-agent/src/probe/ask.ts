import { randomInt } from 'node:crypto'
import { request as secureRequest } from 'node:https'
import { connect as secure } from 'node:tls'
import { request as plainRequest } from '@hedgerow/io/node-http'
import dns from 'dns-packet'
import ipaddr from 'ipaddr.js'
import { packetOf, segmentOf, UDP } from '#probe/packets.ts'
import { type Ends, TcpStream } from '#probe/tcp-stream.ts'
import type { Tunnel } from '#probe/tunnel.ts'

const DNS_PORT = 53
const TRIES = 3
const ANSWER_WITHIN_MS = 1_200
const PAGE_WITHIN_MS = 5_000
/** Of a page so much is read. */
const ENOUGH_BYTES = 64 * 1024

export type Answer = { rcode: string; addresses: string[] }

/** Asks a resolver through a tunnel. Undefined: it does not answer. */
export const askName = async (
  tunnel: Tunnel,
  { from, resolver }: { from: string; resolver: string },
  name: string,
  type: 'A' | 'AAAA',
): Promise<Answer | undefined> => {
  const port = randomInt(49_152, 65_536)
  const id = randomInt(65_536)
  const question = dns.encode({
    type: 'query',
    id,
    flags: dns.RECURSION_DESIRED,
    questions: [{ type, name }],
  })
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
  const stop = tunnel.listen((packet) => {
    const segment = segmentOf(packet)
    if (segment?.protocol !== UDP || segment.from !== resolver || segment.body.readUInt16BE(2) !== port)
      return
    try {
      const answer = dns.decode(segment.body.subarray(8))
      if (answer.id !== id) return
      const addresses = (answer.answers ?? []).flatMap((one) =>
        one.type === type ? [one.data as string] : [],
      )
      resolve({
        rcode: (answer as { rcode?: string }).rcode ?? '',
        addresses: addresses.map((one) => ipaddr.parse(one).toString()),
      })
    } catch {
      // Whatever that was, it is no answer.
    }
  })
  let left = TRIES
  const send = () => {
    if (left-- === 0) return resolve(undefined)
    const header = Buffer.alloc(8)
    header.writeUInt16BE(port, 0)
    header.writeUInt16BE(DNS_PORT, 2)
    header.writeUInt16BE(8 + question.length, 4)
    tunnel.send(packetOf({ from, to: resolver, protocol: UDP, body: Buffer.concat([header, question]) }))
  }
  send()
  const timer = setInterval(send, ANSWER_WITHIN_MS)
  try {
    return await promise
  } finally {
    clearInterval(timer)
    stop()
  }
}

/** Fetches a page through a tunnel; returns how many bytes came. Throws when it did not come in time. */
export const fetchPage = (tunnel: Tunnel, ends: Omit<Ends, 'port'>, url: URL): Promise<number> =>
  new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const stream = new TcpStream(tunnel, { ...ends, port: Number(url.port || (isSecure ? 443 : 80)) })
    const fail = (error: Error) => {
      clearTimeout(timer)
      stream.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error('no answer in time')), PAGE_WITHIN_MS)
    stream.on('error', fail)
    const createConnection = () =>
      isSecure ? secure({ socket: stream, servername: url.hostname }).on('error', fail) : stream
    const ask = isSecure ? secureRequest : plainRequest
    ask(url, { createConnection, headers: { connection: 'close' } }, (response) => {
      let bytes = 0
      const end = () => {
        clearTimeout(timer)
        stream.destroy()
        resolve(bytes)
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes >= ENOUGH_BYTES) end()
      })
      response.on('end', end)
      response.on('error', fail)
    })
      .on('error', fail)
      .end()
  })
