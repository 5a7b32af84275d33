/** Runs one piece of work after the other, in the order in which they were asked for. */
export const createMutex = () => {
  let last: Promise<unknown> = Promise.resolve()
  let count = 0
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => {
    count++
    const turn = last.then(work).finally(() => count--)
    last = turn.catch(() => undefined)
    return turn
  }
  /** Whether something runs or waits for its turn. */
  const isBusy = () => count > 0
  return Object.assign(exclusively, { isBusy })
}
