/** How many rows are in memory at once. */
export const PAGE = 500

/** Every row of a list that goes on after the last row of the page before, in its order. */
export async function* everyRow<T>(list: (after: T | undefined) => Promise<T[]>): AsyncGenerator<T> {
  let last: T | undefined
  for (;;) {
    const page = await list(last)
    yield* page
    last = page.at(-1)
    if (page.length < PAGE) return
  }
}
