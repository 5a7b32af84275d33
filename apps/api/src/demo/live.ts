import { DAY_MS } from '@hedgerow/domain/dates'
import type { Deed, World } from '#demo/world.ts'

type Planned = { time: number; order: number; deed: Deed }

const isBefore = (one: Planned, other: Planned) =>
  one.time < other.time || (one.time === other.time && one.order < other.order)

/** What is to happen, of which the first is always at hand: a binary heap. */
const createAgenda = () => {
  const heap: Planned[] = []
  let order = 0
  const at = (index: number) => heap[index] as Planned
  const swap = (one: number, other: number) => {
    const kept = at(one)
    heap.splice(one, 1, at(other))
    heap.splice(other, 1, kept)
  }
  const rise = (index: number): void => {
    const parent = (index - 1) >> 1
    if (index === 0 || !isBefore(at(index), at(parent))) return
    swap(index, parent)
    rise(parent)
  }
  const sink = (index: number): void => {
    const children = [2 * index + 1, 2 * index + 2].filter((child) => child < heap.length)
    const first = children.reduce((least, child) => (isBefore(at(child), at(least)) ? child : least), index)
    if (first === index) return
    swap(index, first)
    sink(first)
  }
  return {
    add: (time: number, deed: Deed) => {
      heap.push({ time, order: order++, deed })
      rise(heap.length - 1)
    },
    next: (): Planned | undefined => {
      if (heap.length > 1) swap(0, heap.length - 1)
      const next = heap.pop()
      sink(0)
      return next
    },
  }
}

type Progress = { day: number; of: number; customers: number; sales: number }

/** Lets everything happen in the order of its times, by the clock that is set to each. What happens may plan what follows. */
export const liveThrough = async (
  world: Omit<World, 'at'>,
  begin: (world: World) => void,
  onProgress: (progress: Progress) => void,
): Promise<void> => {
  const agenda = createAgenda()
  const start = world.end - world.days * DAY_MS
  const whole: World = Object.assign(world, {
    at: (time: number, deed: Deed) => {
      if (time < world.end) agenda.add(Math.floor(time), deed)
    },
  })
  begin(whole)
  let reported = 0
  for (let next = agenda.next(); next; next = agenda.next()) {
    await world.clock.set(new Date(next.time))
    await next.deed(whole)
    const day = Math.floor((next.time - start) / DAY_MS)
    if (day < reported + 10) continue
    reported = day
    onProgress({ day, of: world.days, customers: whole.customers, sales: whole.sales })
  }
}
