import { expect } from 'vitest'
import type { Reply } from './call.ts'

/** Every refusal has the same shape (RFC 9457). */
export const expectProblem = (reply: Reply, status: number): Reply => {
  expect(reply.status, reply.text).toBe(status)
  expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(reply.body).toMatchObject({
    title: expect.stringMatching(/./),
    status,
    detail: expect.stringMatching(/./),
  })
  return reply
}

/** The message that a refusal gives for a field. */
export const messageFor = (reply: Reply, path: string): string | undefined =>
  (reply.body?.errors as { path: string; message: string }[] | undefined)?.find(
    (error) => error.path === path,
  )?.message
