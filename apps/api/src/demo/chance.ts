import { hash } from 'node:crypto'

/** Chance that a seed repeats. */
export type Chance = {
  /** A number from 0 up to 1. */
  draw: () => number
  /** A whole number from 0 up to the limit, which is never drawn. */
  below: (limit: number) => number
  between: (least: number, most: number) => number
  /** True that often, from 0 to 1. */
  is: (share: number) => boolean
  pick: <T>(items: readonly T[]) => T
  /** Each as often as its number says. */
  weigh: <T>(items: readonly (readonly [often: number, item: T])[]) => T
}

const RANGE = 2 ** 48

/** The draws of one question: the same seed and question give the same draws, whatever else is drawn. */
export const chanceOf = (seed: number, question: string): Chance => {
  let count = 0
  const draw = () => hash('sha1', `${seed} ${question} ${count++}`, 'buffer').readUIntBE(0, 6) / RANGE
  const below = (limit: number) => Math.floor(draw() * limit)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  return {
    draw,
    below,
    between: (least, most) => least + below(most - least + 1),
    is: (share) => draw() < share,
    pick,
    weigh: <T>(items: readonly (readonly [number, T])[]) => {
      let left = draw() * items.reduce((sum, [often]) => sum + often, 0)
      const found = items.find(([often]) => {
        left -= often
        return left < 0
      })
      return (found ?? items.at(-1))?.[1] as T
    },
  }
}
