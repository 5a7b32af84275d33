import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLater } from '#platform/instrumentation/later.ts'
import { runAs, workContext } from '#platform/instrumentation/work-context.ts'

const aLog = () => {
  const messages: string[] = []
  return { messages, error: (_: unknown, message?: string) => void messages.push(message ?? '') }
}

test('what is done later is done one after the other, and the stop waits for all of it', async () => {
  const log = aLog()
  const later = createLater(log, 5)
  const done: string[] = []
  for (const name of ['one', 'two', 'three'])
    later.run(name, async () => {
      done.push(`begins ${name}`)
      await pause(5)
      done.push(`ends ${name}`)
    })
  expect(done).toEqual([])
  await later.finished()
  expect(done).toEqual(['begins one', 'ends one', 'begins two', 'ends two', 'begins three', 'ends three'])
  expect(log.messages).toEqual([])
})

test('what fails is logged, and what comes after it is done', async () => {
  const log = aLog()
  const later = createLater(log, 1)
  let isDone = false
  later.run('first', () => Promise.reject(new Error('the database is away')))
  later.run('second', async () => {
    isDone = true
  })
  await later.finished()
  expect([isDone, log.messages]).toEqual([true, ['what was to be done later failed']])
})

test('what is beyond the bound is logged as left out', async () => {
  const log = aLog()
  const later = createLater(log, 1, 2)
  let done = 0
  const work = async () => void done++
  for (let times = 0; times < 5; times++) later.run('a flood', work)
  expect(log.messages).toHaveLength(3)
  await later.finished()
  later.run('after it', work)
  await later.finished()
  expect([done, log.messages.length]).toEqual([3, 3])
})

test('it is done in the name of the call that led to it', async () => {
  const later = createLater(aLog(), 1)
  const seen: (string | undefined)[] = []
  for (const requestId of ['call-0001', 'call-0002'])
    runAs({ requestId }, () => later.run('a call', async () => void seen.push(workContext()?.requestId)))
  await later.finished()
  expect(seen).toEqual(['call-0001', 'call-0002'])
})
