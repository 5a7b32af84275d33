import { describe, expect, test } from 'vitest'
import { isPartOfApi, withRestarts } from './restarts.ts'

test.each([
  ['apps/api/src/sales/orders/orders.service.ts', true],
  ['apps/api/migrations/0001_first.ts', true],
  ['packages/domain/src/pricing.ts', true],
  ['apps/api/src/sales/orders/orders.test.ts', false],
  ['apps/api/src/testing/embedded-shop.ts', false],
  ['packages/ui/src/badge.tsx', false],
  ['packages/web/src/random-id.ts', false],
  ['apps/storefront/src/main.tsx', false],
])('%s is part of the API: %s', (path, isPart) => {
  expect(isPartOfApi(path)).toBe(isPart)
})

describe('a program with restarts', () => {
  const aProgram = (outcomes: (string | undefined)[]) => {
    const calls: string[] = []
    const program = withRestarts({
      start: async () => {
        calls.push('start')
        return outcomes.shift()
      },
      stop: async () => {
        calls.push('stop')
      },
    })
    return { calls, program }
  }

  test('starts once for files that are saved together', async () => {
    const { calls, program } = aProgram(['first', 'second'])
    expect(await program.ready()).toBe('first')
    const both = await Promise.all([program.restart(), program.restart()])
    expect(both).toEqual(['second', 'second'])
    expect(calls).toEqual(['start', 'stop', 'start'])
  })

  test('starts again after a start that failed', async () => {
    const { program } = aProgram([undefined, 'mended'])
    expect(await program.ready()).toBeUndefined()
    void program.restart()
    expect(await program.ready()).toBe('mended')
  })
})
