import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenLive } from '#lib/live.ts'
import type { LiveOn } from '#shared/use-data.ts'

const isMeant = (live: LiveOn | undefined, kind: string, id: string): boolean =>
  live !== undefined &&
  (kind === 'hello' || (live.kinds.includes(kind) && (!live.id || live.id === id || id === '*')))

/** Reads again what is shown when the shop says that it has changed. */
export const useLive = (): void => {
  const client = useQueryClient()
  useEffect(() => {
    const later = new Map<string, ReturnType<typeof setTimeout>>()
    const readLater = ({ queryHash, queryKey }: Query, keptMs: number) => {
      if (later.has(queryHash)) return
      const timer = setTimeout(() => {
        later.delete(queryHash)
        void client.invalidateQueries({ queryKey, exact: true })
      }, keptMs)
      later.set(queryHash, timer)
    }
    const stop = listenLive(({ kind, id }) => {
      const predicate = ({ meta }: Query) => isMeant(meta?.live as LiveOn | undefined, kind, id)
      void client.invalidateQueries({ predicate })
      for (const query of client.getQueryCache().findAll({ predicate, type: 'active' })) {
        const keptMs = (query.meta?.live as LiveOn | undefined)?.keptMs
        if (keptMs && kind !== 'hello') readLater(query, keptMs)
      }
    })
    return () => {
      stop()
      for (const timer of later.values()) clearTimeout(timer)
    }
  }, [client])
}
