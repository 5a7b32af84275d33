/**
 * One side of what operators are shown, by its name in the reply. The console's list, the tool's list and
 * facts, and the file are made of it; the facts on a page of the console are written there.
 */
export type Column<Row> = Readonly<{
  name: keyof Row & string
  title: string
  /** `text` is what people wrote: no spreadsheet calculates it. `pairs` are values by their names. */
  kind: 'id' | 'word' | 'text' | 'sum' | 'time' | 'yes' | 'pairs'
  /** The word that a list is sorted by. */
  sort?: string
  /** Only where one is shown, or a column is asked for. */
  isExtra?: true
}>

/**
 * How every file names what leads to a row of another file, and the sums beside it. By the titles of lists: a column with one
 * of them is that. The currency of `charged` is `chargedCurrency`, of all other sums `currency`.
 */
export const JOINED_BY: Readonly<Record<string, string>> = {
  Payment: 'paymentId',
  Order: 'orderId',
  Invoice: 'invoice',
  'Credit note': 'creditNote',
  Refund: 'refundId',
  Operation: 'operationId',
  Total: 'total',
  Charged: 'charged',
  'Charged back': 'charged',
}

export const columnsOf = <Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] => columns

type Pairs = Readonly<Record<string, string | number | boolean | null>>

/** 'currency EUR, rate 4.26, yes' */
export const pairsText = (pairs: Pairs): string =>
  Object.entries(pairs)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => (value === true ? name : `${name} ${value}`))
    .join(', ')
