import type { ProblemName } from '#platform/http/problems.ts'

/** Why a connection cannot be moved to a node, by the problem that the service told. */
export const whyNotMoved = (to: string): Partial<Record<ProblemName, string>> => ({
  'connection-not-found': 'The connection no longer exists.',
  'connection-expired': 'The connection has ended, or was moved a moment ago, so it cannot be moved.',
  'location-not-found': `${to} takes no new connections: it is drained, has no agent, or is reserved for another layer.`,
  'location-lacks-filter': `${to} has no names for a filter that this connection has switched on (node show ${to}).`,
  'location-full': `${to} has no free address.`,
})
