import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Driver } from '#device/driver.ts'
import { isListening, socketOf } from '#device/uapi-socket.ts'

/** wireguard-go refuses more, one by one and without saying why. */
const MOST_PEERS = 65_535

export const checkPeerCount = (driver: Driver['name'], count: number): void => {
  if (driver === 'wireguard-go' && count > MOST_PEERS)
    throw new Error(
      `wireguard-go holds at most ${MOST_PEERS} peers, and the shop wants ${count}: use a kernel with WireGuard, or a smaller pool`,
    )
}

const WITHIN_MS = 10_000
const EVERY_MS = 25

/**
 * Starts WireGuard as a program and waits until it can be spoken to. It is detached, with no pipe to the agent, so that
 * it and the customers' sessions outlive an agent that crashes; the next agent finds its socket and goes on with it.
 * Deleting its interface ends it. It logs nothing: its errors would name customers' endpoints.
 */
export const startWireguardGo = async (interfaceName: string): Promise<void> => {
  const child = spawn('wireguard-go', ['-f', interfaceName], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'silent' },
  })
  let fault: string | undefined
  child.on('error', () => (fault = 'The kernel has no WireGuard, and wireguard-go is not installed'))
  child.on('exit', (code, signal) => {
    fault ??= `wireguard-go ended with ${code ?? signal}; is there a /dev/net/tun, and may the agent use it?`
  })
  child.unref()
  const end = Date.now() + WITHIN_MS
  while (!(await isListening(socketOf(interfaceName)))) {
    if (fault) throw new Error(fault)
    if (Date.now() > end) throw new Error('wireguard-go started, but does not listen')
    await sleep(EVERY_MS)
  }
}
