import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDeadlines } from '#reconcile/deadlines.ts'

test('takes what is due in the order of time, and nothing that is not', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100 })),
      fc.integer({ min: 0, max: 100 }),
      (times, now) => {
        const deadlines = createDeadlines()
        times.forEach((at, i) => void deadlines.add({ at, id: String(i) }))
        const taken: number[] = []
        for (let due = deadlines.takeDue(now); due; due = deadlines.takeDue(now)) taken.push(due.at)
        expect(taken).toEqual(times.filter((at) => at <= now).sort((a, b) => a - b))
        expect(deadlines.size()).toBe(times.length - taken.length)
        expect(deadlines.nextAt()).toBe(Math.min(...times.filter((at) => at > now)))
      },
    ),
  )
})
