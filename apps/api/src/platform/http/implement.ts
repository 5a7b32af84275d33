import {
  type Access,
  type BytesReply,
  type Endpoint,
  type PdfReply,
  repliesOf,
  replyBytesOf,
} from '@hedgerow/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify'
import type * as z from 'zod/mini'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** A call of the contract; not a link that is followed. */
    isForScripts?: boolean
    /** What it answers may be saved by following a link. */
    isDownload?: boolean
  }
}

type Parsed<S, K extends 'body' | 'params' | 'querystring'> =
  S extends Record<K, infer T extends z.core.$ZodType> ? z.output<T> : undefined

type Replies<S extends Endpoint['schema']> = {
  [Status in keyof S['response']]: S['response'][Status] extends z.core.$ZodType
    ? z.input<S['response'][Status]>
    : S['response'][Status] extends PdfReply | BytesReply
      ? Buffer
      : never
}

/** What a guard knows of the caller by the time that a handler runs, by access. A slice with a guard adds a line. */
export interface Callers {
  'signed-in': { customerId: string }
}

/** A request whose parts were checked by the endpoint's schemas, and its caller by the guard of its access. */
export type RequestOf<E extends Endpoint> = Omit<FastifyRequest, 'body' | 'params' | 'query'> & {
  body: Parsed<E['schema'], 'body'>
  query: Parsed<E['schema'], 'querystring'>
  params: Parsed<E['schema'], 'params'>
} & (E['access'] extends keyof Callers ? Callers[E['access']] : unknown)

type SuccessOf<E extends Endpoint> =
  Replies<E['schema']> extends infer R
    ? R extends { 200: infer T }
      ? T
      : R extends { 201: infer T }
        ? T
        : FastifyReply
    : never

type Handler<E extends Endpoint> = (request: RequestOf<E>, reply: FastifyReply) => Promise<SuccessOf<E>>

/** By what a caller proves who it is, where that is a token; an empty list asks for none. */
const SECURITY: Partial<Record<Access, readonly Record<string, string[]>[]>> = {
  'signed-in': [{ bearer: [] }],
  agent: [{ agent: [] }],
  operator: [{ operator: [] }],
}

/** A program of ours that answers more than it may has a fault, and is not to take the memory of all others with it. */
const boundReply =
  (most: number): onSendHookHandler =>
  (_request, reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0
    if (bytes > most && reply.statusCode < 400)
      done(new Error(`An answer of ${bytes} bytes; the endpoint may have ${most}`))
    else done(null, payload)
  }

type Options = Pick<RouteOptions, 'exposeHeadRoute' | 'config' | 'constraints'>

/** Adds an endpoint of the contract: its schemas validate, its access and limits guard, the handler does the rest. */
export const implement = <E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
  options: Options = {},
): void => {
  const { access, bodyBytes, method, url, summary, schema } = endpoint
  const created = 201 in schema.response
  const limits = app.keepLimits(endpoint)
  app.route({
    ...options,
    ...limits,
    bodyLimit: bodyBytes,
    onSend: [boundReply(replyBytesOf(endpoint)), limits.onSend ?? []].flat(),
    method,
    url,
    schema: {
      ...schema,
      response: repliesOf(endpoint),
      summary,
      security: SECURITY[access] ?? [],
    },
    config: { ...options.config, access, isForScripts: !(303 in schema.response) },
    handler: (request, reply) => {
      if (created) reply.code(201)
      return handler(request as unknown as RequestOf<E>, reply)
    },
  } as RouteOptions)
}
