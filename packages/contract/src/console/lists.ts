import * as z from 'zod/mini'

/** A list shows so many rows at once where nothing else is asked for, and never more than the most. */
export const PAGE_ROWS = 50
export const MOST_PAGE_ROWS = 200

const rows = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MOST_PAGE_ROWS))

/**
 * What a list can be asked: its own filters, `sort` (one of the given words, the first is the usual one; '-' before it is
 * descending), and `after`, the `next` of the page before.
 */
export const listQuery = <const Sort extends string, Filters extends z.core.$ZodShape>(
  sorts: readonly [Sort, ...Sort[]],
  filters: Filters,
) =>
  z.object({
    ...filters,
    sort: z._default(z.enum(sorts), sorts[0]),
    after: z.optional(z.string().check(z.maxLength(1_000))),
    rows: z._default(rows, PAGE_ROWS),
  })

/** The same for the file with all that a filter finds: `columns` in their order, separated by commas; all if left out. */
export const csvQuery = <const Sort extends string, Filters extends z.core.$ZodShape>(
  sorts: readonly [Sort, ...Sort[]],
  filters: Filters,
) =>
  z.object({
    ...filters,
    sort: z._default(z.enum(sorts), sorts[0]),
    columns: z.optional(z.string().check(z.maxLength(2_000))),
  })

/** A page of a list. `next` leads to the following page; null at the end. */
export const pageOf = <Row extends z.core.$ZodType>(row: Row) =>
  z.object({ rows: z.array(row), next: z.nullable(z.string()) })

/** Time: ISO 8601 in UTC. */
export const Time = z.string()

/** A sum in minor units of its currency (ISO 4217). */
export const Sum = z.object({ minor: z.int(), currency: z.string() })
export type Sum = z.infer<typeof Sum>

/** A file that an act makes: a browser saves it, the tool writes it to --out. */
export const TextFile = z.object({ name: z.string(), type: z.string(), text: z.string() })
