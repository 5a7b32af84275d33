import { randomUUID } from 'node:crypto'
import { openDatabase } from '@hedgerow/api/database/client'
import { takeFreeAddress } from '@hedgerow/api/testing/addresses'
import { round } from './measure.ts'

const ADDRESSES = Number(process.env.BENCH_ADDRESSES ?? 1_000_000)
const LANES = 4
const PARTS = 10

/** Gives out a whole pool of a million addresses, one by one, and compares the first tenth with the last. */
export const measureAddresses = async (databaseUrl: string) => {
  const { db } = openDatabase(databaseUrl, () => undefined, LANES)
  const node = { id: randomUUID(), ipv4: '10.16.0.0/12', ipv6: 'fd16::/64' }
  await db
    .insertInto('nodes')
    .values({ ...node, name: 'addresses', endpoint: '192.0.2.8:51820', public_key: 'k', is_open: false })
    .execute()
  const perPart = ADDRESSES / PARTS
  const seconds: number[] = []
  const taken = new Set<number>()
  for (let part = 0; part < PARTS; part++) {
    const start = performance.now()
    let left = perPart
    const lane = async () => {
      while (left-- > 0) {
        taken.add(await takeFreeAddress(db, node))
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    seconds.push((performance.now() - start) / 1000)
  }
  await db.destroy()
  if (taken.size !== ADDRESSES) throw new Error('an address was given out twice')
  const [first = 0, last = 0] = [seconds[0], seconds.at(-1)]
  return {
    addresses: ADDRESSES,
    seconds: round(seconds.reduce((sum, one) => sum + one, 0)),
    'first tenth, a second': round(perPart / first),
    'last tenth, a second': round(perPart / last),
    'last / first, time': round(last / first, 2),
  }
}
