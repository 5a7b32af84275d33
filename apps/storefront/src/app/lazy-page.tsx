import { type ComponentType, lazy, useState } from 'react'

export type LazyPage = {
  Page: ComponentType
  preload: () => Promise<void>
  isLoaded: () => boolean
  /** The source file, by which the build's manifest knows the chunks to name in a prerendered head. */
  source: string
}

/**
 * A page in a chunk of its own. Once preloaded it renders without suspending: a prerendered page must be whole, and
 * one that is taken over must not flash its fallback when the session becomes known in between.
 */
export const lazyPage = (name: string, load: () => Promise<ComponentType>): LazyPage => {
  let loaded: ComponentType | undefined
  const preload = async () => {
    loaded = await load()
  }
  const Later = lazy(async () => ({ default: await load() }))
  // Kept for as long as the page is shown; changing from one to the other would start the page anew.
  const Page = () => {
    const [Shown] = useState(() => loaded ?? Later)
    return <Shown />
  }
  return { Page, preload, isLoaded: () => loaded !== undefined, source: `src/pages/${name}-page.tsx` }
}
