import type { AgentNode, AgentPeer } from '@hedgerow/contract/agents'
import { createJournal } from '#state/journal.ts'
import { type JournalState, type Line, replayJournal } from '#state/replay.ts'

/** A journal this short is not worth shortening. */
const SHORT_LINES = 1_000

export type Change = {
  node?: AgentNode
  set?: readonly AgentPeer[]
  /** Ids. */
  gone?: readonly string[]
  revision?: number
}

/** The lines of a change. The revision comes last: it holds only if all before it is there. */
const linesOf = ({ node, set = [], gone = [], revision }: Change): Line[] => [
  ...(node ? [{ node }] : []),
  ...gone.map((id) => ({ gone: id })),
  ...set.map((peer) => ({ peer })),
  ...(revision === undefined ? [] : [{ revision }]),
]

function* allLines({ node, peers, report, revision }: JournalState): Generator<string> {
  if (node) yield JSON.stringify({ node })
  for (const peer of peers.values()) yield JSON.stringify({ peer })
  yield JSON.stringify({ report })
  yield JSON.stringify({ revision })
}

/** What the shop wants of this node, in memory and in a journal. A change costs the same however many peers there are. */
export const loadDesiredState = async (file: string) => {
  const journal = createJournal(file)
  const held = replayJournal(await journal.read())
  const idOfKey = new Map<string, string>()
  const idOfAddress = new Map<string, string>()
  const awaited = new Set<string>()

  const forget = (id: string) => {
    const peer = held.peers.get(id)
    if (peer && idOfKey.get(peer.publicKey) === id) idOfKey.delete(peer.publicKey)
    if (peer && idOfAddress.get(peer.ipv4) === id) idOfAddress.delete(peer.ipv4)
    held.peers.delete(id)
    awaited.delete(id)
  }
  const index = (peer: AgentPeer) => {
    idOfKey.set(peer.publicKey, peer.id)
    idOfAddress.set(peer.ipv4, peer.id)
    if (peer.isAwaited) awaited.add(peer.id)
  }
  for (const peer of held.peers.values()) index(peer)

  const write = async (lines: readonly Line[]) => {
    const isLong = journal.lines() + lines.length > Math.max(SHORT_LINES, 2 * (held.peers.size + 3))
    if (isLong || journal.isTorn()) await journal.replace(allLines(held))
    else await journal.append(lines.map((line) => JSON.stringify(line)))
  }

  return {
    node: () => held.node,
    revision: () => held.revision,
    peers: held.peers as ReadonlyMap<string, AgentPeer>,
    awaited: awaited as ReadonlySet<string>,
    idOfKey: (publicKey: string) => idOfKey.get(publicKey),
    /** Who was given it last. */
    idOfAddress: (ipv4: string) => idOfAddress.get(ipv4),
    /** If it cannot be written, it is known all the same, but the revision stays: the shop is asked again. */
    save: async (change: Change): Promise<void> => {
      const { node, set = [], gone = [], revision } = change
      if (node) held.node = node
      for (const id of gone) forget(id)
      for (const peer of set) {
        forget(peer.id)
        held.peers.set(peer.id, peer)
        index(peer)
      }
      const lines = linesOf(change)
      if (lines.length === 0) return
      const before = held.revision
      held.revision = revision ?? before
      try {
        await write(lines)
      } catch (error) {
        held.revision = before
        throw error
      }
    },
    /** Greater than any before it, whatever the clock does, after a restart too. */
    nextReport: async (): Promise<number> => {
      held.report = Math.max(held.report + 1, Date.now())
      await write([{ report: held.report }])
      return held.report
    },
    close: journal.close,
  }
}

export type DesiredState = Awaited<ReturnType<typeof loadDesiredState>>
