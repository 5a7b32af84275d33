import { pino } from 'pino'
import { createNetwork } from '#network/create-network.ts'
import type { PeerPolicy } from '#network/network.ts'
import { createSurroundings } from '#network/surroundings.ts'

/** The network half of an agent in a process of its own, so that it can live in a namespace and be killed. */
const options = JSON.parse(process.argv[2] ?? '{}')
const surroundings = createSurroundings(options)
const network = createNetwork({
  ...options,
  surroundings: surroundings.now,
  log: pino({ level: 'fatal' }, pino.destination(2)),
})

type Call = { id: number; method: keyof typeof network; args: unknown[] }

const revive = (policies: unknown): PeerPolicy[] =>
  (policies as PeerPolicy[]).map((policy) => ({
    ...policy,
    expiresAt: policy.expiresAt ? new Date(policy.expiresAt) : null,
  }))

const call = async ({ method, args: [first, second] }: Call): Promise<unknown> => {
  await surroundings.look()
  if (method === 'stop' || method === 'followSurroundings') return network[method]()
  if (method === 'apply') return network.apply(revive(first), revive(second))
  return network[method](revive(first))
}

process.on('message', (message: Call) => {
  call(message).then(
    (answer) => process.send?.({ id: message.id, answer }),
    (error) => process.send?.({ id: message.id, error: String(error?.stack ?? error) }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
