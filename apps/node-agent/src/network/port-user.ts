import { runCommand } from '#runtime/run-command.ts'

/** Of all addresses; what listens on addresses of its own is in no one's way. */
const OF_ALL = /^(?:0\.0\.0\.0|\*|\[::\])(?:%\S+)?:\d+$/

/** The program that listens on a port of all addresses, as `ss` names it; undefined: that is not said to everyone. */
export const programIn = (listing: string): string | undefined => {
  const lines = listing.split('\n').filter((line) => line.split(/\s+/).some((word) => OF_ALL.test(word)))
  return lines.map((line) => /users:\(\("([^"]+)"/.exec(line)?.[1]).find((name) => name !== undefined)
}

/** In words, what keeps the node from a port. */
export const portIsTaken = async (port: number): Promise<string> => {
  const listing = await runCommand('ss', ['-Hlntup', `sport = :${port}`]).catch(() => '')
  const name = programIn(listing)
  const who = name === undefined ? 'another program' : `another program (${name})`
  return `${who} uses port ${port} of all addresses: end it, or let it listen on addresses of its own`
}
