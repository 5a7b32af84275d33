import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allowedIpsOf, type DevicePeer, type DeviceReading, type Driver } from '#device/driver.ts'
import { placeOf } from '#device/place.ts'
import { eachLine, runCommand } from '#runtime/run-command.ts'

/** `wg` takes no empty list. */
const section = (peer: DevicePeer): string => {
  const allowed = allowedIpsOf(peer).join(',')
  return `[Peer]\nPublicKey=${peer.publicKey}\nPresharedKey=${peer.presharedKey}\n${allowed && `AllowedIPs=${allowed}\n`}`
}

/** Takes a line of `wg show IF dump`: the interface's own first, then one for each peer. */
const takeLine = (reading: DeviceReading, line: string): void => {
  const fields = line.split('\t')
  if (fields.length < 8) {
    reading.privateKey = fields[0] ?? ''
    reading.listenPort = Number(fields[2])
    return
  }
  const [publicKey = '', presharedKey = '', endpoint, allowedIps = '', handshake, received, sent] = fields
  reading.peers.set(publicKey, {
    presharedKey,
    allowedIps: allowedIps === '(none)' ? [] : allowedIps.split(','),
    hasEndpoint: endpoint !== '(none)',
    place: placeOf(endpoint === '(none)' ? undefined : endpoint),
    handshakeS: Number(handshake),
    received: Number(received),
    sent: Number(sent),
  })
}

/** Speaks to the kernel's WireGuard by `wg`, one process for a batch. Keys go by files that only root can read. */
export const createWgDriver = (interfaceName: string, stateDir: string): Driver => {
  /** Always the same, so that a crash leaves one behind at most. Changes come one after the other. */
  const file = join(stateDir, 'wg-batch.conf')
  const add = async (text: string): Promise<void> => {
    try {
      await writeFile(file, text, { mode: 0o600 })
      await runCommand('wg', ['addconf', interfaceName, file])
    } finally {
      await rm(file, { force: true })
    }
  }
  return {
    name: 'kernel',
    configure: (privateKey, listenPort) =>
      add(`[Interface]\nPrivateKey=${privateKey}\nListenPort=${listenPort}\n`),
    change: async (gone, set) => {
      const removals = gone.flatMap((key) => ['peer', key, 'remove'])
      if (gone.length > 0) await runCommand('wg', ['set', interfaceName, ...removals])
      if (set.length > 0) await add(set.map(section).join(''))
    },
    read: async () => {
      const reading: DeviceReading = { privateKey: '', listenPort: 0, peers: new Map() }
      await eachLine('wg', ['show', interfaceName, 'dump'], (line) => takeLine(reading, line))
      return reading
    },
  }
}
