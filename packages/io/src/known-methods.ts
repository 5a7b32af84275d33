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

/** What a server answers at which address, so that a call with another method can be answered with those that there are. */
export const createKnownMethods = (): KnownMethods => {
  const routes = new Map<string, { parts: string[]; methods: Set<string> }>()
  return {
    add: (pattern, methods) => {
      const parts = partsOf(pattern)
      const known = routes.get(parts.join('/'))?.methods ?? []
      routes.set(parts.join('/'), { parts, methods: new Set([...known, ...methods]) })
    },
    at: (url) => {
      const parts = partsOf(url)
      const found = [...routes.values()].filter((route) => matches(route.parts, parts))
      return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort()
    },
  }
}
