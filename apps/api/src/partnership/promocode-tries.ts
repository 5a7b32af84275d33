import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify'
import { limitedByCustomer } from '#plugins/rate-limits.ts'

const TRIES_AN_HOUR = 10

/** One count for every call that can carry a code, right or wrong: each tells whether it is one. */
export const limitPromocodes = (app: FastifyInstance, scale: number): preHandlerAsyncHookHandler[] =>
  limitedByCustomer(app, scale, TRIES_AN_HOUR, 60, {
    detail: 'These were many promocodes in a short time. Try again in an hour, or pay without one.',
    when: ({ body }) => Boolean((body as { promocode?: unknown } | undefined)?.promocode),
  })
