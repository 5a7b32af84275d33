import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { getPublicSuffix } from 'tldts'

/** A name of two labels or more whose last one is no number. Room is left for the zone's own name behind it. */
const NAME = /^(?=.{3,235}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

const toName = (text: string): string | undefined => {
  const bare = text.replace(/^\*?\.|\.$/g, '').replace(/\.$/, '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is outside of ASCII needs punycode.
  const ascii = /[^\x00-\x7f]/.test(bare) ? domainToASCII(bare) : bare.toLowerCase()
  return NAME.test(ascii) ? ascii : undefined
}

/**
 * Below which anyone registers names, such as co.uk: to block it would block a country. A company that gives names away
 * below its own, such as github.io, may be blocked, as other blockers have it.
 */
export const isPublicSuffix = (name: string): boolean =>
  getPublicSuffix(name, { allowPrivateDomains: false, extractHostname: false }) === name

/** The names in a line of a hosts file, a list of domains, or plain `||name^`. Undefined: it is none of these. */
export const namesInLine = (line: string): string[] | undefined => {
  const text = line.replace(/(?:^|\s)#.*$/s, '').trim()
  if (text === '' || text.startsWith('!') || /^\[.*\]$/.test(text)) return []
  const adblock = /^\|\|([^/^$*|]+)\^?$/.exec(text)?.[1]
  const [first = '', ...others] = (adblock ?? text).split(/\s+/)
  const isHosts = isIP(first.split('%', 1)[0] ?? '') !== 0
  if (isHosts ? others.length === 0 : others.length > 0) return undefined
  const names: string[] = []
  for (const word of isHosts ? others : [first]) {
    const name = toName(word)
    if (name !== undefined) names.push(name)
    // What a hosts file says of the machine itself.
    else if (!isHosts || !/^[\w-]+$|^0\.0\.0\.0$/.test(word)) return undefined
  }
  return names
}
