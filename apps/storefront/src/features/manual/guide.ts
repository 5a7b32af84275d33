import type { ReactNode } from 'react'
import type { PictureProps } from '#features/manual/picture.tsx'

export type Step = { title: string; text: ReactNode; picture?: PictureProps }

/** A question someone has when it does not work, and what to do. */
export type Trouble = { title: string; text: ReactNode }

/** What the manual says of one system. Every guide has every part; the page puts them in one order. */
export type Guide = {
  /** What follows "WireGuard on". */
  title: string
  /** The versions for which the steps were written. */
  writtenFor: string
  needs: readonly ReactNode[]
  steps: readonly Step[]
  killSwitch: ReactNode
  killSwitchPicture?: PictureProps
  dns: ReactNode
  /** Whether it comes back after a restart, and how. */
  atStart: ReactNode
  /** What only this system has; the rest is the same for all. */
  troubles: readonly Trouble[]
  remove: ReactNode
}
