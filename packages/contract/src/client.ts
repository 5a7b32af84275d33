import type * as z from 'zod/mini'
import type { PdfReply, Problem } from './endpoint.ts'
import type * as endpoints from './endpoints.ts'
import { newRequestId, REQUEST_ID_HEADER } from './request-id.ts'
import { type RouteName, routes } from './routes.ts'

type SchemaOf<N extends RouteName> = (typeof endpoints)[N]['schema']
type Part<N extends RouteName, P extends 'body' | 'params' | 'querystring'> =
  SchemaOf<N> extends Record<P, infer S extends z.core.$ZodType>
    ? Record<P, z.input<S>>
    : Partial<Record<P, never>>
type ReplyOf<N extends RouteName> = SchemaOf<N>['response'] extends infer R
  ? R extends { 200: PdfReply }
    ? Blob
    : R extends { 200: infer S extends z.core.$ZodType }
      ? z.output<S>
      : R extends { 201: infer S extends z.core.$ZodType }
        ? z.output<S>
        : never
  : never

export type CallOptions<N extends RouteName> = Part<N, 'body'> &
  Part<N, 'params'> &
  Part<N, 'querystring'> & {
    signal?: AbortSignal
    /** Sent even if the page is closed in the same moment. */
    keepalive?: boolean
  }

/** A refusal that the server explained. `problem.detail` is the message to show. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly problem: Problem
  /** The server failed, or said what nobody understands: nothing that the customer did. */
  readonly isUnexpected: boolean
  constructor(problem: Problem, isUnexpected = problem.status >= 500) {
    super(problem.detail)
    this.status = problem.status
    this.problem = problem
    this.isUnexpected = isUnexpected
  }
}

export type ClientOptions = {
  baseUrl?: string
  /** Adds headers to a request: the bearer token, the csrf header. */
  headers?: (method: string) => Record<string, string>
}

const unexplained = (status: number, requestId: string): Problem => ({
  title: 'Unexpected answer',
  status,
  detail: 'The server gave an answer that we do not understand. Try again in a moment.',
  requestId,
})

/** Typed calls. Throws ApiError for any answer but success; lets a network failure through as the TypeError of fetch. */
export const createClient = ({ baseUrl = '', headers }: ClientOptions = {}) => ({
  call: async <N extends RouteName>(name: N, options: CallOptions<N>): Promise<ReplyOf<N>> => {
    const { method, url } = routes[name]
    const { body, params, querystring, signal, keepalive } = options as {
      body?: unknown
      params?: Record<string, string>
      querystring?: Record<string, string | number>
      signal?: AbortSignal
      keepalive?: boolean
    }
    const path = url.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params?.[key] ?? ''))
    const pairs = Object.entries(querystring ?? {}).map(
      ([key, value]) => `${key}=${encodeURIComponent(value)}`,
    )
    const query = pairs.length > 0 ? `?${pairs.join('&')}` : ''
    const requestId = newRequestId()
    const response = await fetch(baseUrl + path + query, {
      method,
      headers: {
        ...headers?.(method),
        [REQUEST_ID_HEADER]: requestId,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
      ...(keepalive ? { keepalive } : {}),
    })
    if (response.headers.get('content-type') === 'application/pdf')
      return (await response.blob()) as ReplyOf<N>
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.ok) return answer as ReplyOf<N>
    const isProblem =
      typeof answer === 'object' && answer !== null && 'detail' in answer && 'status' in answer
    if (isProblem) throw new ApiError(answer as Problem)
    throw new ApiError(
      unexplained(response.status, response.headers.get(REQUEST_ID_HEADER) ?? requestId),
      true,
    )
  },
})

export type Client = ReturnType<typeof createClient>
