import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const bindAt = async (type: 'udp4' | 'udp6', port: number): Promise<Socket> => {
  const socket = createSocket({ type, ipv6Only: type === 'udp6' })
  socket.unref().bind(port)
  await once(socket, 'listening')
  return socket
}

/** Whether no other program has it. */
export const isFree = async (port: number): Promise<boolean> => {
  try {
    for (const type of ['udp4', 'udp6'] as const) (await bindAt(type, port)).close()
    return true
  } catch {
    return false
  }
}

/**
 * Sockets at the ports that the node listened on before. What comes there the rules send on to WireGuard, so that nothing
 * reaches them. But no other program takes the port, and a router that complains that an answer from there was too large
 * is heard: the kernel heeds only who complains to a socket that is there.
 */
export const createHeldPorts = (ports: readonly number[]) => {
  const held = new Map<string, Socket>()

  const hold = async (type: 'udp4' | 'udp6', port: number): Promise<void> => {
    const key = `${type} ${port}`
    if (held.has(key)) return
    const socket = await bindAt(type, port)
    socket.on('error', () => undefined)
    held.set(key, socket)
  }
  return {
    ensure: async (): Promise<void> => {
      for (const port of ports) {
        await hold('udp4', port)
        await hold('udp6', port)
      }
    },
    stop: (): void => {
      for (const socket of held.values()) socket.close()
      held.clear()
    },
  }
}
