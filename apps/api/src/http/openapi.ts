import swagger from '@fastify/swagger'
import { CSRF_COOKIE, CSRF_HEADER, SECURE_CSRF_COOKIE } from '@hedgerow/contract/csrf'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { ANSWER_HEADERS } from '#http/security-headers.ts'
import type { Settings } from '#settings.ts'

/** Describes the API by the very schemas that check its requests. To be registered before the routes. */
export const describeApi = async (app: FastifyInstance, { brand, publicUrl }: Settings): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${brand.name} API`,
        version: '1',
        description: `Errors are application/problem+json (RFC 9457); \`detail\` is the message to show. Every answer has an \`x-request-id\`: the one that the call brought, if it is 8 to 64 letters, digits, dashes or underscores, else one of ours. A browser with the cookie \`${CSRF_COOKIE}\` (over TLS \`${SECURE_CSRF_COOKIE}\`, which wins) repeats its value as \`${CSRF_HEADER}\` in every call that changes something, or gets 403. A method that an address does not take gets 405, with \`Allow\`.`,
      },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: createJsonSchemaTransform({}),
  })
  app.get(
    '/api/v1/openapi.json',
    { schema: { hide: true }, config: { access: 'anyone' } },
    (_request, reply) => {
      reply.headers(ANSWER_HEADERS)
      return app.swagger()
    },
  )
}
