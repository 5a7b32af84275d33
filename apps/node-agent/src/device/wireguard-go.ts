import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { AMNEZIAWG, type Dialect } from '#device/dialect.ts'
import type { Driver } from '#device/driver.ts'
import { isListening, socketOf } from '#device/uapi-socket.ts'
import { Obstacle } from '#runtime/obstacle.ts'

/** wireguard-go, and what comes of it, refuse more, one by one and without saying why. */
const MOST_PEERS = 65_535

export const checkPeerCount = (driver: Driver['name'], count: number): void => {
  if (driver !== 'kernel' && count > MOST_PEERS)
    throw new Error(
      `${driver} holds at most ${MOST_PEERS} peers, and the shop wants ${count}: use a kernel with WireGuard, or a smaller pool`,
    )
}

const NO_WIREGUARD = 'The kernel has no WireGuard, and wireguard-go is not installed'
const NO_AMNEZIAWG =
  'This is an obfuscated node, and this server has neither amneziawg-go nor a kernel with AmneziaWG: install one of them ("Networks that block WireGuard" in docs/node.md).'

const WITHIN_MS = 10_000
const EVERY_MS = 25

/**
 * Starts WireGuard as a program and waits until it can be spoken to. It is detached, with no pipe to the agent, so that
 * it and the customers' sessions outlive an agent that crashes; the next agent finds its socket and goes on with it.
 * Deleting its interface ends it. It logs nothing: its errors would name customers' endpoints.
 */
export const startWireguardGo = async (dialect: Dialect, interfaceName: string): Promise<void> => {
  const { program } = dialect
  const child = spawn(program, ['-f', interfaceName], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'silent' },
  })
  let fault: Error | undefined
  child.on(
    'error',
    () => (fault = dialect === AMNEZIAWG ? new Obstacle(NO_AMNEZIAWG) : new Error(NO_WIREGUARD)),
  )
  child.on('exit', (code, signal) => {
    fault ??= new Error(
      `${program} ended with ${code ?? signal}; is there a /dev/net/tun, and may the agent use it?`,
    )
  })
  child.unref()
  const end = Date.now() + WITHIN_MS
  while (!(await isListening(socketOf(dialect, interfaceName)))) {
    if (fault) throw fault
    if (Date.now() > end) throw new Error(`${program} started, but does not listen`)
    await sleep(EVERY_MS)
  }
}
