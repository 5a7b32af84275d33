import swagger from '@fastify/swagger'
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
        description:
          'Errors are application/problem+json (RFC 9457); `detail` is the message to show. Every answer has an `x-request-id`: the one that the call brought, if it is 8 to 64 letters, digits, dashes or underscores, else one of ours.',
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
