import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Dialect } from '#device/dialect.ts'
import { allowedIpsOf, type DevicePeer, type DeviceReading, type Driver } from '#device/driver.ts'
import { placeOf } from '#device/place.ts'
import { eachLine, runCommand } from '#runtime/run-command.ts'

/** `wg` takes no empty list. */
const section = (peer: DevicePeer): string => {
  const allowed = allowedIpsOf(peer).join(',')
  return `[Peer]\nPublicKey=${peer.publicKey}\nPresharedKey=${peer.presharedKey}\n${allowed && `AllowedIPs=${allowed}\n`}`
}

/** `awg` says the sizes of its own junk before them. */
const PARAMETERS = { names: ['s1', 's2', 's3', 's4', 'h1', 'h2', 'h3', 'h4'], at: 6 } as const

/** Takes the first line of `wg show IF dump`: the interface's own. */
const takeInterface = (reading: DeviceReading, line: string): void => {
  const fields = line.split('\t')
  reading.privateKey = fields[0] ?? ''
  reading.listenPort = Number(fields[2])
  const { names, at } = PARAMETERS
  if (fields.length > at) reading.parameters = names.map((name, i) => `${name}=${fields[at + i]}`)
}

/** Takes another: one for each peer. */
const takePeer = (reading: DeviceReading, line: string): void => {
  const fields = line.split('\t')
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

/** Speaks to the kernel's interface by `wg`, one process for a batch. Keys go by files that only root can read. */
export const createWgDriver = (
  { tool }: Dialect,
  interfaceName: string,
  stateDir: string,
  parameters: readonly string[] = [],
): Driver => {
  /** Always the same, so that a crash leaves one behind at most. Changes come one after the other. */
  const file = join(stateDir, 'wg-batch.conf')
  const add = async (text: string): Promise<void> => {
    try {
      await writeFile(file, text, { mode: 0o600 })
      await runCommand(tool, ['addconf', interfaceName, file])
    } finally {
      await rm(file, { force: true })
    }
  }
  return {
    name: 'kernel',
    parameters,
    configure: (privateKey, listenPort) =>
      add(
        ['[Interface]', `PrivateKey=${privateKey}`, `ListenPort=${listenPort}`, ...parameters, ''].join('\n'),
      ),
    change: async (gone, set) => {
      const removals = gone.flatMap((key) => ['peer', key, 'remove'])
      if (gone.length > 0) await runCommand(tool, ['set', interfaceName, ...removals])
      if (set.length > 0) await add(set.map(section).join(''))
    },
    read: async () => {
      const reading: DeviceReading = { privateKey: '', listenPort: 0, parameters: [], peers: new Map() }
      let take = takeInterface
      await eachLine(tool, ['show', interfaceName, 'dump'], (line) => {
        take(reading, line)
        take = takePeer
      })
      return reading
    },
  }
}
