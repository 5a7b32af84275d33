/** A node is up if its agent has asked within so many seconds. An agent asks at least every 30. Then operators are mailed. */
export const UP_WITHIN_S = 90

/** So long an address rests: what was sent to its last holder no longer reaches the next. */
export const ADDRESS_REST_DAYS = 7

/** So long the shop keeps that two devices seem to use a connection; its node says it each minute. */
export const USED_TWICE_KEPT_S = 180

/** The same of one whose holder never made a handshake with its node: longer than it takes until the node has said so. */
export const UNUSED_REST_MINUTES = 15

/** A connection's old keys work until its new ones are first used, at most so long. */
export const REPLACED_LIVES_HOURS = 24

/** So long after its end a connection can be extended; then it is deleted, with its keys. */
export const ENDED_KEPT_DAYS = 30

/** What a tunnel's MTU may be: with less an interface has no IPv6, and larger packets pass in a provider's own network only. */
export const TUNNEL_MTU = { least: 1280, most: 1500 } as const

/** Ports that a node listened on before and still serves, for files that name them. Each takes ports from its customers. */
/** Of a new node: networks that let little through let HTTP/3 through, which uses it. */
export const SECOND_PORT = 443

export const MOST_OLD_PORTS = 4

/** So long it is remembered that a peer is gone, for agents that were away. */
export const REMOVED_KEPT_DAYS = 7

/** A pool with a smaller part free than this is nearly full. */
export const LEAST_FREE_PART = 0.05

/** wireguard-go takes no more. */
export const WIREGUARD_GO_PEERS = 65_535

export const ENROLMENT_HOURS = 24

/** What an agent says of what does not work, one sentence a line. */
export const LONGEST_FAULTS = 1_500

/**
 * 'awaiting': no agent has enrolled. 'failing': its agent is in contact, and says that customers are not served as they should
 * be. 'demonstration': no agent ever will enrol.
 */
export const NODE_STATES = ['awaiting', 'up', 'failing', 'down', 'drained', 'demonstration'] as const
export type NodeState = (typeof NODE_STATES)[number]

type NodeFacts = {
  isOpen: boolean
  hasAgent: boolean
  isInContact: boolean
  hasFaults: boolean
  isDemonstration: boolean
}

export const nodeState = ({
  isOpen,
  hasAgent,
  isInContact,
  hasFaults,
  isDemonstration,
}: NodeFacts): NodeState => {
  if (!isOpen) return 'drained'
  if (hasAgent && isInContact) return hasFaults ? 'failing' : 'up'
  if (hasAgent) return 'down'
  return isDemonstration ? 'demonstration' : 'awaiting'
}

/**
 * A name that only a node's own resolver knows (.internal does not exist on the internet): it leads to a page of the node, so
 * that a browser that shows it has both tunnel and DNS through the node.
 */
export const CHECK_HOST = 'am-i-protected.internal'

/** A block list that could not be replaced for longer misses what is new. The alert BlockListOld has the same time. */
export const LIST_OLD_DAYS = 14
