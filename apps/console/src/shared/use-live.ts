import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenLive } from '#lib/live.ts'
import type { LiveOn } from '#shared/use-data.ts'

const isMeant = (live: LiveOn | undefined, kind: string, id: string): boolean =>
  live !== undefined &&
  (kind === 'hello' || (live.kinds.includes(kind) && (!live.id || live.id === id || id === '*')))

/** Reads again what is shown when the shop says that it has changed. */
export const useLive = (): void => {
  const client = useQueryClient()
  useEffect(
    () =>
      listenLive(({ kind, id }) => {
        void client.invalidateQueries({
          predicate: ({ meta }) => isMeant(meta?.live as LiveOn | undefined, kind, id),
        })
      }),
    [client],
  )
}
