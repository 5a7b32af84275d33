import type * as z from 'zod/mini'
import type { PdfReply, Problem } from './endpoint.ts'
import type * as endpoints from './endpoints.ts'
import { newRequestId, REQUEST_ID_HEADER } from './request-id.ts'
import type { RouteName } from './routes.ts'

type NameOf<E> = { [K in keyof E & string]: E[K] extends { url: string } ? K : never }[keyof E & string]
type SchemaOf<E, N extends keyof E> = E[N] extends { schema: infer S } ? S : never
type Part<S, P extends 'body' | 'params' | 'querystring'> =
  S extends Record<P, infer T extends z.core.$ZodType> ? Record<P, z.input<T>> : Partial<Record<P, never>>
type ReplyOf<S> = S extends { response: infer R }
  ? R extends { 200: PdfReply }
    ? Blob
    : R extends { 200: infer T extends z.core.$ZodType }
      ? z.output<T>
      : R extends { 201: infer T extends z.core.$ZodType }
        ? z.output<T>
        : never
  : never

type OptionsOf<S> = Part<S, 'body'> &
  Part<S, 'params'> &
  Part<S, 'querystring'> & {
    signal?: AbortSignal
    /** Sent even if the page is closed in the same moment. */
    keepalive?: boolean
  }

export type CallOptions<N extends RouteName> = OptionsOf<SchemaOf<typeof endpoints, N>>

/** A refusal that the server explained. `problem.detail` is the message to show. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly problem: Problem
  /** The server failed, or gave an unreadable answer: nothing that the customer did. */
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

/** The `after` of the address to which an answer leads as its next page (RFC 8288), as the server writes it. */
const afterIn = (link: string | null): string | undefined => {
  const [, address] = /^<([^<>]+)>; rel="next"/.exec(link ?? '') ?? []
  return (address && new URLSearchParams(address.split('?')[1]).get('after')) || undefined
}

/** A list that the contract answers a page at a time. */
type RowOf<R> = R extends readonly (infer Row)[] ? Row : never

/** Typed calls. Throws ApiError for any answer but success; lets a network failure through as the TypeError of fetch. */
export const createClient = <E extends object = typeof endpoints>(
  routes: Readonly<Record<string, Readonly<{ method: string; url: string }>>>,
  { baseUrl = '', headers }: ClientOptions = {},
) => {
  const send = async (name: string, options: object): Promise<{ answer: unknown; response: Response }> => {
    const { method, url } = routes[name] as { method: string; url: string }
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
      return { answer: await response.blob(), response }
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.ok) return { answer, response }
    const isProblem =
      typeof answer === 'object' && answer !== null && 'detail' in answer && 'status' in answer
    if (isProblem) throw new ApiError(answer as Problem)
    throw new ApiError(
      unexplained(response.status, response.headers.get(REQUEST_ID_HEADER) ?? requestId),
      true,
    )
  }
  return {
    call: async <N extends NameOf<E>>(
      name: N,
      options: OptionsOf<SchemaOf<E, N>>,
    ): Promise<ReplyOf<SchemaOf<E, N>>> => (await send(name, options)).answer as ReplyOf<SchemaOf<E, N>>,
    /** A page of a list that is answered as an array, and the `after` of the next; none at the end. */
    page: async <N extends NameOf<E>>(
      name: N,
      options: OptionsOf<SchemaOf<E, N>>,
    ): Promise<{ rows: RowOf<ReplyOf<SchemaOf<E, N>>>[]; next: string | undefined }> => {
      const { answer, response } = await send(name, options)
      return { rows: answer as RowOf<ReplyOf<SchemaOf<E, N>>>[], next: afterIn(response.headers.get('link')) }
    },
  }
}

/** The shop's own calls. */
export type Client = ReturnType<typeof createClient<typeof endpoints>>
