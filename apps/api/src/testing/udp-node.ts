import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { ShopPeer } from '@hedgerow/contract/agents'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { createResponder } from '@hedgerow/wireguard/testing/responder'
import { createWire } from '@hedgerow/wireguard/wire'
import { onTestFinished } from 'vitest'

type Answer = (initiation: Buffer, respond: (initiation: Buffer) => Buffer | undefined) => Buffer[]

const bind = async (type: 'udp4' | 'udp6', port: number, host: string) => {
  const socket = createSocket({ type, ipv6Only: type === 'udp6' })
  socket.bind(port, host)
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return socket
}

/** WireGuard's port of a node, on this machine: it answers handshakes as WireGuard does, or as a test wants. */
export const openUdpNode = async (host = '127.0.0.1', port = 0) => {
  const socket = await bind(host.includes(':') ? 'udp6' : 'udp4', port, host)
  let respond: (initiation: Buffer) => Buffer | undefined = () => undefined
  let answer: Answer = () => []
  const heard: Buffer[] = []
  let last = { address: '', port: 0 }
  const usual: Answer = (initiation) => {
    const response = respond(initiation)
    return response ? [response] : []
  }
  socket.on('message', (initiation, from) => {
    heard.push(initiation)
    last = from
    for (const one of answer(initiation, respond)) socket.send(one, from.port, from.address)
  })
  return {
    port: socket.address().port,
    heard,
    /** Where the last one came from. */
    from: () => last,
    /** Answers with these keys from now on. */
    serve: (privateKey: string, { publicKey, presharedKey }: ShopPeer, obfuscation?: Obfuscation) => {
      const known = new Map([[publicKey, presharedKey]])
      respond = createResponder(privateKey, known, createWire(obfuscation))
      answer = usual
    },
    answerWith: (made: Answer) => {
      answer = made
    },
    open: () => {
      answer = usual
    },
    close: () => {
      answer = () => []
    },
  }
}
