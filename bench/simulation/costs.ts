import type { Pool } from 'pg'
import type { BenchShop } from '../shop.ts'
import type { Cost, Measured } from './measured.ts'
import type { Meter, Used } from './processor-time.ts'

export type Measuring = { shop: BenchShop; url: string; pool: Pool; meter: Meter }
export type Idle = Measured['idle']

/** What the shop does by itself all the time is no call's cost. */
export const costOf = (used: Used, calls: number, idle: Idle): Cost => {
  const of = (ms: number, idleCores = 0) => Math.max(0, ms - idleCores * used.wall) / calls
  return {
    main: of(used.main, idle.main),
    documents: of(used.documents),
    threads: of(used.threads, idle.threads),
    database: of(used.database, idle.database),
    gateway: of(used.gateway, idle.gateway),
    client: of(used.client),
  }
}

export const minus = (whole: Cost, part: Cost, times = 1): Cost => {
  const left = { ...whole }
  for (const key of Object.keys(left) as (keyof Cost)[])
    left[key] = Math.max(0, whole[key] - times * part[key])
  return left
}
