import * as z from 'zod/mini'

/**
 * Who may call an endpoint. Required, so that none exists without an answer.
 * `gateway` proves itself by a signature in the body, `issuer` by a payment id that nobody can guess, `agent` by the
 * secret that a node's agent made when it enrolled.
 */
export type Access = 'anyone' | 'signed-in' | 'gateway' | 'issuer' | 'agent'

/** A document instead of JSON: the server sends its bytes, the client receives a Blob. */
export const PdfReply = {
  description: 'A PDF document',
  content: { 'application/pdf': { schema: z.file() } },
} as const
export type PdfReply = typeof PdfReply

export type EndpointSchema = {
  params?: z.core.$ZodType
  querystring?: z.core.$ZodType
  body?: z.core.$ZodType
  response: Record<number, z.core.$ZodType | PdfReply>
}

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  access: Access
  /** One line for the OpenAPI document. */
  summary: string
  schema: EndpointSchema
}

/** An endpoint is the shared part of a route: the server adds a handler, the storefront reads its types. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

const PROBLEM_CODES = ['method-not-open', 'payment-under-way', 'promocode-used-up'] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** RFC 9457. `detail` is the message to show; `errors` names each field that a validation refused. */
export const Problem = z.object({
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** Where the answer would be, when the same thing has been done already. */
  paymentId: z.optional(z.string()),
  /** Names a refusal that a page treats unlike others of its status. */
  code: z.optional(z.enum(PROBLEM_CODES)),
})
export type Problem = z.infer<typeof Problem>
