import { type ComponentType, lazy, useState } from 'react'

export type PageModule = { default: ComponentType }

export type LazyPage = {
  Page: ComponentType
  preload: () => Promise<void>
  isLoaded: () => boolean
}

/**
 * A page in a chunk of its own. Once preloaded it renders without suspending: a prerendered page must be whole, and
 * one that is taken over must not flash its fallback when the session becomes known in between.
 */
export const lazyPage = (load: () => Promise<PageModule>): LazyPage => {
  let loaded: ComponentType | undefined
  const preload = async () => {
    loaded = (await load()).default
  }
  const Later = lazy(load)
  // Kept for as long as the page is shown; changing from one to the other would start the page anew.
  const Page = () => {
    const [Shown] = useState(() => loaded ?? Later)
    return <Shown />
  }
  return { Page, preload, isLoaded: () => loaded !== undefined }
}
