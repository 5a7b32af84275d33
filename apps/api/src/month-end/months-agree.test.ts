import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkMonth } from '#month-end/check-month.ts'
import { type Month, parseMonth } from '#month-end/month.ts'
import { liveMonth } from '#testing/months/live-month.ts'
import { drawMonth } from '#testing/months/times.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { chanceOf } from '#testing/torture/chance.ts'

/** Another one each run; `MONTHS_SEED=… ` brings the same months back, if not the same ids and moments. */
const SEED = Number(process.env.MONTHS_SEED) || randomInt(2 ** 31)
const MONTHS = 3
const DEEDS_A_MONTH = 16
/** A slow machine lives fewer months, of the same seed. */
const BEGINS_FOR_MS = 25_000

const shop = shopOfFile()

/** What falls on the last instant before a month, or on the first after it, is of these. */
const withNeighbours = ({ name }: Month): string[] => {
  const [year = 0, month = 0] = name.split('-').map(Number)
  return [-1, 0, 1].map((by) => new Date(Date.UTC(year, month - 1 + by, 1)).toISOString().slice(0, 7))
}

test(`in every month that a shop has lived, all totals agree to the penny (MONTHS_SEED=${SEED})`, async () => {
  const end = Date.now() + BEGINS_FOR_MS
  const names = new Set<string>()
  for (let count = 0; count < MONTHS && Date.now() < end; count++) {
    const seed = SEED + count
    const month = drawMonth(chanceOf(seed, 'month'), new Date())
    await liveMonth(shop, { seed, month, deeds: DEEDS_A_MONTH })
    for (const name of withNeighbours(month)) names.add(name)
    // Every month so far: what happens later, in whatever month, changes none that agreed.
    for (const name of names) {
      const told = `${name}, after ${count + 1} months. To repeat: MONTHS_SEED=${SEED}`
      const { lines, waiting } = await checkMonth(shop, parseMonth(name) as Month, new Date(), 7)
      expect(
        lines.filter(({ agrees }) => !agrees),
        told,
      ).toEqual([])
      expect(waiting, told).toEqual([])
    }
  }
  // It has found nothing because all is well, not because it has looked at nothing.
  const notes = await shop.db.selectFrom('credit_notes').select('number').execute()
  expect(notes.length).toBeGreaterThan(0)
}, 180_000)
