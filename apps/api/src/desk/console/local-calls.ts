import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import * as z from 'zod/mini'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'

type Handle = (request: never, reply: never) => Promise<unknown>
type Parts = { params?: unknown; query?: unknown; body?: unknown }

const checked = (schema: z.core.$ZodType | undefined, part: unknown): unknown =>
  schema === undefined ? undefined : z.parse(schema, part ?? {})

/** A file is answered by its bytes alone. */
const NO_REPLY = { type: () => NO_REPLY, header: () => NO_REPLY, send: (body: unknown) => body }

/** The operators' calls within this process, for the tool: checked by the same schemas, recorded in the same way. */
export class LocalCalls {
  readonly #handlers = new Map<string, Handle>()
  readonly #caller: OperatorCaller
  constructor(caller: OperatorCaller) {
    this.#caller = caller
  }
  add({ method, url }: OperatorEndpoint, handle: Handle): void {
    this.#handlers.set(`${method} ${url}`, handle)
  }
  /** Throws a ZodError for what the schemas refuse, and the Problems of the handler. */
  async call({ method, url, schema }: OperatorEndpoint, { params, query, body }: Parts): Promise<unknown> {
    const handle = this.#handlers.get(`${method} ${url}`)
    if (!handle) throw new Error(`Nobody answers ${method} ${url}`)
    const request = {
      params: checked(schema.params, params),
      query: checked(schema.querystring, query),
      body: checked(schema.body, body),
      operator: this.#caller,
    }
    return handle(request as never, NO_REPLY as never)
  }
}
