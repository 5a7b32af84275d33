import { expect, test } from 'vitest'
import { checkMonth } from '#month-end/check-month.ts'
import { liveMonth } from '#testing/months/live-month.ts'
import { drawMonth } from '#testing/months/times.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { chanceOf } from '#testing/torture/chance.ts'

const shop = shopOfFile()

test('x', async () => {
  const seed = Number(process.env.SEED ?? 7)
  const month = drawMonth(chanceOf(seed, 'month'), new Date())
  const t = Date.now()
  await liveMonth(shop, { seed, month, deeds: 25 })
  console.log(month.name, 'lived', Date.now() - t)
  const checked = await checkMonth(shop, month, new Date())
  console.log(Date.now() - t, JSON.stringify(checked, null, 1))
  expect(checked.lines.filter(({ agrees }) => !agrees)).toEqual([])
}, 100_000)
