import type { AgentNode } from '@hedgerow/contract/agents'
import type { Network } from './network.ts'

export type NetworkOptions = {
  node: AgentNode
  interfaceName: string
  uplink: string
  listsDir: string
  stateDir: string
  bandwidth: number
  priorityShare: number
}

/** Leaves firewall, resolver and shaper to whoever runs the server. */
export const createNetwork = async (_options: NetworkOptions): Promise<Network> => ({
  ensure: async () => undefined,
  apply: async () => undefined,
  heal: async () => [],
  stop: async () => undefined,
})
