import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

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
    const socket = createSocket({ type, ipv6Only: type === 'udp6' })
    socket.unref().bind(port)
    await once(socket, 'listening')
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
