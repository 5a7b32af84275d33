import * as z from 'zod/mini'

/**
 * Who may call an endpoint. Required, so that none exists without an answer.
 * `gateway` proves itself by a signature in the body, `issuer` by a payment id that nobody can guess, `agent` by the
 * secret that a node's agent made when it enrolled. `operator` is on a listener of its own, by a session or a token with the
 * endpoint's permission.
 */
export type Access = 'anyone' | 'signed-in' | 'gateway' | 'issuer' | 'agent' | 'operator'

type Rate = { calls: number; minutes: number }
/** By the networks that the caller comes from: an address, and so many times as much each larger network around it (`networksAround`). */
type ByAddress = Rate & {
  by: 'address'
  /** Only what was refused counts, by the address alone, and what is accepted is not slowed down by counting. */
  counts?: 'refusals'
}
/** By the value of a field of the body: one account, tried from many addresses. */
type ByField = Rate & {
  by: 'field'
  field: string
  /** Each address has its own count of the account, so that a stranger's calls do not stand in its owner's way. */
  andAddress?: true
  /** Ways to write one mailbox are one (`mailboxOf`): where it has mails sent there. Accounts at tags of one mailbox log in apart. */
  ofMailbox?: true
  /** What is too much is answered as though it had been done. Only where an empty object is the answer. */
  isDropped?: true
}
/** By who has signed in, from whatever addresses. Endpoints that name the same `sharedAs` have one count together. */
type ByCustomer = Rate & { by: 'customer'; sharedAs?: string }

/** How often an endpoint may be called: so many calls in so many minutes, by whom. */
export type Limit = ByAddress | ByField | ByCustomer
/** In the order in which they are checked. Calls from an address are counted before anything is read of the call. */
export type Limits = readonly [ByAddress, ...(ByField | ByCustomer)[]] | readonly (ByField | ByCustomer)[]

/** A document instead of JSON: the server sends its bytes, the client receives a Blob. */
export const PdfReply = {
  description: 'A PDF document',
  content: { 'application/pdf': { schema: z.file() } },
} as const
export type PdfReply = typeof PdfReply

/** The same for bytes that only programs read. */
export const BytesReply = {
  description: 'Bytes',
  content: { 'application/octet-stream': { schema: z.file() } },
} as const
export type BytesReply = typeof BytesReply

export type EndpointSchema = {
  params?: z.core.$ZodType
  querystring?: z.core.$ZodType
  body?: z.core.$ZodType
  /** Replies of success. What is refused, and how, follows from the rest of the endpoint: see `repliesOf`. */
  response: Record<number, z.core.$ZodType | PdfReply | BytesReply>
}

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  access: Access
  limits?: Limits
  /** The largest body that is read, where that is less than the server's own limit. */
  bodyBytes?: number
  /** The largest answer, where that is another than `replyBytesOf` says of its access. What is streamed has none. */
  replyBytes?: number
  /** One line for the OpenAPI document. */
  summary: string
  schema: EndpointSchema
  /** Statuses of refusals that do not follow from access, body and limits. */
  problems?: readonly number[]
}

/**
 * Whatever an account has in it, an answer has no more: many are made at once, in the memory of one process. Operators are few,
 * and a report may have the sales of a quarter.
 */
const REPLY_BYTES = { operator: 32 * 1024 * 1024, others: 512 * 1024 } as const

/** The largest answer of an endpoint, in bytes. */
export const replyBytesOf = ({ access, replyBytes }: Pick<Endpoint, 'access' | 'replyBytes'>): number =>
  replyBytes ?? REPLY_BYTES[access === 'operator' ? 'operator' : 'others']

/** The limits that can be kept at an endpoint: by customer only where one is signed in, by a field that it has. */
type LimitOf<E extends Endpoint> =
  | ByAddress
  | (E['access'] extends 'signed-in' ? ByCustomer : never)
  | (E['schema'] extends { body: infer Body extends z.core.$ZodType }
      ? ByField & { field: keyof z.input<Body> }
      : never)

/**
 * The most calls in so many minutes, of all kinds together. By address as often as the proxy in front would let
 * them through (deploy/nginx.conf): others are behind the same one.
 */
export const CEILINGS = {
  address: { calls: 18_000, minutes: 10 },
  customer: { calls: 3_000, minutes: 10 },
} as const satisfies Record<string, Rate>

/**
 * An endpoint is the shared part of a route: the server adds a handler, the storefront reads its types. A page that
 * needs but a form's schema leaves the endpoint beside it out of its bundle.
 */
// @__NO_SIDE_EFFECTS__
export const endpoint = <const E extends Endpoint>(definition: E & { limits?: readonly LimitOf<E>[] }): E =>
  definition

const PROBLEM_CODES = [
  'ask-again',
  'banks-unknown',
  'method-not-open',
  'not-confirmed',
  'payment-under-way',
  'payments-paused',
  'promocode-used-up',
  'second-person',
  'second-step-over',
  'unknown-passkey',
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** RFC 9457. `detail` is the message to show; `errors` names each field that a validation refused. */
export const Problem = z.object({
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** Where the answer would be, when the same thing has been done already. */
  paymentId: z.optional(z.string()),
  /** When what is refused for a while can be tried again, where that is known. */
  until: z.optional(z.string()),
  /** Names a refusal that a page treats unlike others of its status. */
  code: z.optional(z.enum(PROBLEM_CODES)),
  /** Names the call in the shop's log, as the header x-request-id does. */
  requestId: z.optional(z.string()),
})
export type Problem = z.infer<typeof Problem>

/** A program of ours reads a problem. A link that is followed, the gateway and an issuer's page do not. */
const isReadByUs = ({ access, schema }: Endpoint): boolean =>
  access !== 'gateway' && access !== 'issuer' && !(303 in schema.response)

const commonProblems = ({ access, limits, schema }: Endpoint): number[] => [
  ...(access === 'anyone' ? [] : [401]),
  ...(access === 'operator' ? [403] : []),
  ...(schema.body || schema.querystring ? [422] : []),
  ...(limits ? [429] : []),
]

/** Returns every reply of an endpoint by its status, with the problems that it names and those that all have. */
export const repliesOf = (endpoint: Endpoint): EndpointSchema['response'] => {
  const common = isReadByUs(endpoint) ? commonProblems(endpoint) : []
  const statuses = [...common, ...(endpoint.problems ?? [])]
  return { ...endpoint.schema.response, ...Object.fromEntries(statuses.map((status) => [status, Problem])) }
}
