import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import * as z from 'zod/mini'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import { Problem } from '#platform/http/problems.ts'

type Handle = (request: never, reply: never) => Promise<unknown>
type Parts = { params?: unknown; query?: unknown; body?: unknown }

const checked = (schema: z.core.$ZodType | undefined, part: unknown): unknown =>
  schema === undefined ? undefined : z.parse(schema, part ?? {})

/** A file is answered by its bytes alone. */
const NO_REPLY = { type: () => NO_REPLY, header: () => NO_REPLY, send: (body: unknown) => body }

/** The operators' calls within this process, for the tool and for what a second person has confirmed: checked by the same schemas, recorded in the same way. */
export class LocalCalls {
  readonly #handlers = new Map<string, { endpoint: OperatorEndpoint; handle: Handle }>()
  readonly #caller: OperatorCaller
  constructor(caller: OperatorCaller) {
    this.#caller = caller
  }
  add(endpoint: OperatorEndpoint, handle: Handle): void {
    this.#handlers.set(`${endpoint.method} ${endpoint.url}`, { endpoint, handle })
  }
  call({ method, url }: OperatorEndpoint, parts: Parts): Promise<unknown> {
    return this.callBy(`${method} ${url}`, parts)
  }
  /** Throws a ZodError for what the schemas refuse, 'not-permitted', and the Problems of the handler. */
  async callBy(methodAndUrl: string, { params, query, body }: Parts): Promise<unknown> {
    const known = this.#handlers.get(methodAndUrl)
    if (!known) throw new Error(`Nobody answers ${methodAndUrl}`)
    const { endpoint, handle } = known
    const { permission, schema } = endpoint
    if (permission !== 'own' && !this.#caller.permissions.has(permission)) throw new Problem('not-permitted')
    const request = {
      params: checked(schema.params, params),
      query: checked(schema.querystring, query),
      body: checked(schema.body, body),
      operator: this.#caller,
    }
    return handle(request as never, NO_REPLY as never)
  }
}
