/** Wakes agents that wait for changes of their node. */
export type NodeSignal = {
  /** A node's peers have changed. */
  forget: (nodeId: string) => void
  /** How many changes were signalled for a node: to be noted before the database is read. */
  changeCount: (nodeId: string) => number
  /** Waits for a change, or so long. Returns at once if one came since `count` was noted, or the process stops. */
  wait: (nodeId: string, count: number, ms: number) => Promise<void>
  /** Nothing had changed after this revision when the database was read, if no change came since `count` was noted. */
  remember: (nodeId: string, count: number, revision: number) => void
  /** That nothing has changed after this revision is known without asking the database. */
  isQuiet: (nodeId: string, revision: number) => boolean
  setListening: (isListening: boolean) => void
  /** The process stops: waiting ends. */
  isStopped: () => boolean
  stop: () => void
}

export type NodeDependencies = Readonly<{ nodeSignal: NodeSignal }>

/** While notifications cannot arrive, or a transaction changes a node's peers, waiting agents look for themselves so often. */
export const LOOK_EVERY_MS = 1000

export const createNodeSignal = (): NodeSignal => {
  const changeCounts = new Map<string, number>()
  const quietSince = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()
  let isListening = false
  let isStopped = false

  const wake = (nodeId: string) => {
    for (const one of waiting.get(nodeId) ?? []) one()
  }
  const changeCount = (nodeId: string) => changeCounts.get(nodeId) ?? 0

  return {
    forget: (nodeId) => {
      changeCounts.set(nodeId, changeCount(nodeId) + 1)
      quietSince.delete(nodeId)
      wake(nodeId)
    },
    changeCount,
    wait: (nodeId, before, ms) => {
      if (isStopped || changeCount(nodeId) !== before) return Promise.resolve()
      return new Promise((resolve) => {
        const all = waiting.get(nodeId) ?? new Set()
        waiting.set(nodeId, all)
        const done = () => {
          clearTimeout(timer)
          all.delete(done)
          if (all.size === 0 && waiting.get(nodeId) === all) waiting.delete(nodeId)
          resolve()
        }
        const timer = setTimeout(done, isListening ? ms : Math.min(ms, LOOK_EVERY_MS))
        all.add(done)
      })
    },
    remember: (nodeId, before, revision) => {
      if (isListening && changeCount(nodeId) === before) quietSince.set(nodeId, revision)
    },
    isQuiet: (nodeId, revision) => quietSince.get(nodeId) === revision,
    setListening: (value) => {
      isListening = value
      quietSince.clear()
      for (const nodeId of [...waiting.keys()]) wake(nodeId)
    },
    isStopped: () => isStopped,
    stop: () => {
      isStopped = true
      for (const nodeId of [...waiting.keys()]) wake(nodeId)
    },
  }
}
