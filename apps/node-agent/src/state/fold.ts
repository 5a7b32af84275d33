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

export type Folded = {
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

const take = (folded: Folded, line: Line): void => {
  if ('peer' in line) folded.peers.set(line.peer.id, line.peer)
  else if ('gone' in line) folded.peers.delete(line.gone)
  else if ('node' in line) folded.node = line.node
  else if ('revision' in line) folded.revision = line.revision
  else folded.report = line.report
}

/** What a journal's lines come to. After one that cannot be read everything is asked for again: from revision 0. */
export const fold = (lines: readonly string[]): Folded => {
  const folded: Folded = { node: undefined, revision: 0, report: 0, peers: new Map() }
  let isWhole = true
  for (const text of lines) {
    const line = readLine(text)
    if (line) take(folded, line)
    else isWhole = false
  }
  return isWhole ? folded : { ...folded, revision: 0 }
}
