import { refused } from '#desk/console/refused.ts'
import { Problem, type ProblemName } from '#platform/http/problems.ts'

type Words = Partial<Record<ProblemName, string>>

/** Why a connection cannot be moved to a node, by the problem that its customer would read. */
export const whyNotMoved = (to: string): Words => ({
  'connection-not-found': 'The connection no longer exists.',
  'connection-expired': 'The connection has ended, or was moved a moment ago, so it cannot be moved.',
  'location-not-found': `The node ${to} takes no new connections: it is drained, has no agent, or is reserved for another layer.`,
  'location-lacks-filter': `The node ${to} has no names for a filter that this connection has switched on.`,
  'location-full': `The node ${to} has no free address.`,
})

export const WHY_NOT_REKEYED: Words = {
  'own-key': 'Its customer made the key, and only they can make another. Revoke it if it has to stop.',
  'location-full': 'There is no free address for it: make room, or cut the old keys off.',
  'connection-expired': 'The connection has ended, or changed meanwhile.',
}

export const WHY_NOT_MAILED: Words = {
  'own-key': 'Only its customer has the key, so there is no file to mail.',
  'not-confirmed':
    'Nobody has confirmed the account’s email yet, so no key is mailed there. Have the customer choose a password on the log-in page.',
}

export const inWords = async (words: Words, act: () => Promise<void>): Promise<void> => {
  try {
    await act()
  } catch (error) {
    const why = error instanceof Problem ? words[error.kind] : undefined
    throw why ? refused(why) : error
  }
}
