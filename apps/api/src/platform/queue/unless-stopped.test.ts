import { expect, test } from 'vitest'
import { unlessStopped } from '#platform/queue/unless-stopped.ts'

const never = () => new Promise<never>(() => undefined)

test('work that only looks is left when the process stops, also when it stops already', async () => {
  const stopping = new AbortController()
  const left = unlessStopped(never(), stopping.signal)
  stopping.abort()
  await left
  await unlessStopped(never(), stopping.signal)
})

test('else it is waited for, and its fault is told', async () => {
  const { signal } = new AbortController()
  let isDone = false
  await unlessStopped(
    Promise.resolve().then(() => {
      isDone = true
    }),
    signal,
  )
  expect(isDone).toBe(true)
  await expect(unlessStopped(Promise.reject(new Error('no answer')), signal)).rejects.toThrow('no answer')
})
