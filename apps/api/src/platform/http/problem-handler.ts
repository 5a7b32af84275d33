import { REQUEST_ID_HEADER } from '@hedgerow/contract/request-id'
import { coarseNetworkOf } from '@hedgerow/domain/networks'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDatabaseAway, isDiskFull } from '#platform/database/database-away.ts'
import { Problem, type ProblemName } from '#platform/http/problems.ts'
import { ANSWER_HEADERS } from '#platform/http/security-headers.ts'

/** What Fastify and PostgreSQL call the failures that a request can cause by itself. */
const KNOWN: Readonly<Record<string, ProblemName>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad-json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad-json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'not-readable',
  // Text with a null character, which the database cannot hold.
  '22021': 'not-readable',
  '22P05': 'not-readable',
  // Two who waited for each other; PostgreSQL has undone what this one did.
  '40P01': 'unavailable',
}

/** A statement took longer than it may, or its transaction did: 57014 and 55P03 of PostgreSQL, 25P03. */
const DATABASE_SLOW = /^(?:57014|55P03|25P03)$/

type Issue = { instancePath?: string; message?: string }

const fieldErrors = (issues: readonly Issue[]) => {
  const byPath = new Map<string, string>()
  for (const { instancePath = '', message = '' } of issues) {
    const path = instancePath.replace(/^\//, '').replaceAll('/', '.')
    if (!byPath.has(path)) byPath.set(path, message)
  }
  return [...byPath].map(([path, message]) => ({ path, message }))
}

/** Something was to be written for an account that was erased after the session had been looked at. */
const isForErased = (error: FastifyError): boolean => {
  const { constraint = '', detail = '' } = error as { constraint?: string; detail?: string }
  // The same code tells that something still hangs on a row that was to be deleted: that is a fault of ours.
  return error.code === '23503' && constraint.endsWith('_customer_id_fkey') && /not present/.test(detail)
}

const problemOf = (error: FastifyError): Problem => {
  if (error instanceof Problem) return error
  if (isForErased(error)) return new Problem('not-signed-in')
  if (hasZodFastifySchemaValidationErrors(error)) {
    // An id that has not the form of one is no record's.
    if (error.validationContext === 'params') return new Problem('not-found')
    return new Problem('invalid', { errors: fieldErrors(error.validation as Issue[]) })
  }
  const known = KNOWN[error.code]
  if (known) return new Problem(known)
  const code = error.code ?? ''
  if (DATABASE_SLOW.test(code)) return new Problem('unavailable', { retryAfterSeconds: 10 })
  if (isDatabaseAway(error)) return new Problem('unavailable', { retryAfterSeconds: 2 })
  return error.statusCode && error.statusCode < 500 ? new Problem('not-readable') : new Problem('unexpected')
}

export const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply => {
  const { allow, retryAfterSeconds } = problem.extras
  if (allow) reply.header('allow', allow.join(', '))
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  return (
    reply
      .code(problem.status)
      .headers(ANSWER_HEADERS)
      // An address that could not be read has passed no hook.
      .header(REQUEST_ID_HEADER, reply.request.id)
      .type('application/problem+json')
      .serializer((payload: unknown) => JSON.stringify(payload))
      .send({ ...problem.toReply(), requestId: reply.request.id })
  )
}

const REFUSES_WHO_ASKS = new Set([401, 403])

/** A session, an agent or a browser that may not do what it asked for. A caller who shows nothing is asked to log in. */
const isWorthALine = ({ status }: Problem, { headers }: FastifyRequest): boolean =>
  REFUSES_WHO_ASKS.has(status) && (status === 403 || headers.authorization !== undefined)

const logRefusal = (problem: Problem, request: FastifyRequest): void => {
  const { method, routeOptions, customerId, ip } = request
  const route = routeOptions.url ?? 'none'
  const network = coarseNetworkOf(ip)
  request.log.info({ refused: problem.kind, method, route, customerId, network }, 'a call was refused')
}

/** The one place where a failure becomes an answer. What was not expected is logged with the request's id, and not shown. */
export const handleProblems = (app: FastifyInstance): void => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = problemOf(error)
    // What we throw ourselves was expected; while the database is away its own lines say so, and these are many.
    if (problem.status >= 500 && error !== (problem as Error)) {
      if (isDatabaseAway(error) && !isDiskFull(error))
        request.log.info({ err: error }, 'the database was away')
      else request.log.error({ err: error }, 'request failed')
    }
    if (isWorthALine(problem, request)) logRefusal(problem, request)
    return sendProblem(reply, problem)
  })
}
