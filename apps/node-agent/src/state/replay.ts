import { AgentNode, AgentPeer } from '@hedgerow/contract/agents'
import * as z from 'zod/mini'

const Line = z.union([
  z.object({ peer: AgentPeer }),
  z.object({ gone: z.string() }),
  z.object({ node: AgentNode }),
  z.object({ revision: z.int() }),
  z.object({ report: z.int() }),
])
export type Line = z.infer<typeof Line>

export type JournalState = {
  node: AgentNode | undefined
  revision: number
  /** Number of the last report. */
  report: number
  peers: Map<string, AgentPeer>
}

const readLine = (text: string): Line | undefined => {
  try {
    const { success, data } = z.safeParse(Line, JSON.parse(text))
    return success ? data : undefined
  } catch {
    return undefined
  }
}

const take = (state: JournalState, line: Line): void => {
  if ('peer' in line) state.peers.set(line.peer.id, line.peer)
  else if ('gone' in line) state.peers.delete(line.gone)
  else if ('node' in line) state.node = line.node
  else if ('revision' in line) state.revision = line.revision
  else state.report = line.report
}

/** What a journal's lines come to. After one that cannot be read everything is asked for again: from revision 0. */
export const replayJournal = (lines: readonly string[]): JournalState => {
  const state: JournalState = { node: undefined, revision: 0, report: 0, peers: new Map() }
  let isWhole = true
  for (const text of lines) {
    const line = readLine(text)
    if (line) take(state, line)
    else isWhole = false
  }
  return isWhole ? state : { ...state, revision: 0 }
}
