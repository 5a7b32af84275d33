type KnownMethods = {
  /** A route, or a file: its address, in which a part that begins with a colon stands for any. */
  add: (pattern: string, methods: readonly string[]) => void
  /** Returns the methods that lead somewhere at an address; none where nothing is, whatever the method. */
  at: (url: string) => string[]
}

const partsOf = (url: string): string[] => {
  const [path = ''] = url.split('?', 1)
  return (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
}

const matches = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, index) => part === parts[index] || (part.startsWith(':') && parts[index] !== ''))

type Known = { parts: string[]; methods: Set<string> }

/** What a server answers at which address, so that a call with another method can be answered with those that there are. */
export const createKnownMethods = (): KnownMethods => {
  const addresses = new Map<string, Known>()
  const patterns = new Map<string, Known>()
  return {
    add: (pattern, methods) => {
      const parts = partsOf(pattern)
      const name = parts.join('/')
      const routes = parts.some((part) => part.startsWith(':')) ? patterns : addresses
      routes.set(name, { parts, methods: new Set([...(routes.get(name)?.methods ?? []), ...methods]) })
    },
    at: (url) => {
      const parts = partsOf(url)
      // Hundreds of files have an address each, and are asked for most.
      const address = addresses.get(parts.join('/'))
      const found = [...patterns.values()].filter((route) => matches(route.parts, parts))
      return [
        ...new Set([...(address ? [address] : []), ...found].flatMap(({ methods }) => [...methods])),
      ].sort()
    },
  }
}
