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

/** Two refusals that do not reveal which of two things it was: alike but for the id of the call. */
export const expectAlike = (one: Reply, other: Reply): void => {
  const said = ({ status, body }: Reply) => ({ status, body: { ...body, requestId: undefined } })
  expect(said(one)).toEqual(said(other))
}

/** The message that a refusal gives for a field. */
export const messageFor = (reply: Reply, path: string): string | undefined =>
  (reply.body?.errors as { path: string; message: string }[] | undefined)?.find(
    (error) => error.path === path,
  )?.message
