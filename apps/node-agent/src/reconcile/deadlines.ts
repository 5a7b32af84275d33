export type Deadline = { at: number; id: string }

/** The earliest first; adding one and taking one cost the logarithm of how many there are. */
export const createDeadlines = () => {
  const heap: Deadline[] = []
  const at = (index: number) => heap[index]?.at ?? Infinity
  const swap = (a: number, b: number) => {
    const [x, y] = [heap[a], heap[b]]
    if (x && y) [heap[a], heap[b]] = [y, x]
  }
  const rise = (index: number) => {
    for (let i = index; i > 0; ) {
      const parent = (i - 1) >> 1
      if (at(parent) <= at(i)) return
      swap(parent, i)
      i = parent
    }
  }
  const sink = () => {
    for (let i = 0; ; ) {
      const left = 2 * i + 1
      const child = at(left + 1) < at(left) ? left + 1 : left
      if (at(child) >= at(i)) return
      swap(i, child)
      i = child
    }
  }
  return {
    size: () => heap.length,
    nextAt: () => at(0),
    add: (deadline: Deadline): void => {
      heap.push(deadline)
      rise(heap.length - 1)
    },
    /** Takes the earliest if it is due. */
    takeDue: (now: number): Deadline | undefined => {
      if (at(0) > now) return undefined
      const due = heap[0]
      const last = heap.pop()
      if (heap.length > 0 && last) {
        heap[0] = last
        sink()
      }
      return due
    },
  }
}
