import type { Month } from '#accounting/month-end/month.ts'
import type { Db } from '#platform/database/client.ts'

/** What is looked at: a month of a shop's books, so many rows of it in memory at once. */
export type Books = { db: Db; month: Month; pageRows: number }

export const PAGE_ROWS = 500

/** Every row of a list that goes on after the last row of the page before, in its order. */
export async function* everyRow<T>(
  { pageRows }: Pick<Books, 'pageRows'>,
  list: (after: T | undefined) => Promise<T[]>,
): AsyncGenerator<T> {
  let last: T | undefined
  for (;;) {
    const page = await list(last)
    yield* page
    last = page.at(-1)
    if (page.length < pageRows) return
  }
}
