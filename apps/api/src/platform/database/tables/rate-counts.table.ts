/** How often something was done in the time that ends then, by a keyed hash of what and by whom. Lost in a crash. */
export type RateCountsTable = {
  key: Buffer
  calls: number
  ends_at: Date
}

export type RateCountsTables = { rate_counts: RateCountsTable }
