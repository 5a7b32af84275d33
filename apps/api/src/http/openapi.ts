import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { CSRF_COOKIE, CSRF_HEADER, SECURE_CSRF_COOKIE } from '@hedgerow/contract/csrf'
import { allRoutes } from '@hedgerow/contract/machine-routes'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { ANSWER_HEADERS } from '#http/security-headers.ts'
import type { Settings } from '#settings.ts'

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>

/** The first part of an address that says what it is about. */
const groupOf = (url: string): string => url.split('/')[3] ?? 'other'

const tags = [...new Set(Object.values(allRoutes).map(({ url }) => groupOf(url)))]
  .sort()
  .map((name) => ({ name }))

/** Each call by the name that programs of ours call it by. Two share an address: which of them is there is a setting. */
const namesFor = (cardForm: Settings['cardForm']): Map<string, string> => {
  const named = Object.entries(allRoutes).map(
    ([name, { method, url }]) => [`${method} ${url}`, name] as const,
  )
  return new Map(cardForm === 'hosted' ? named : named.reverse())
}

const describeCalls = (cardForm: Settings['cardForm']): Transform => {
  const names = namesFor(cardForm)
  const describe = createJsonSchemaTransform({})
  return (call) => {
    const { schema, url } = describe(call as Parameters<typeof describe>[0])
    const operationId = names.get(`${call.route.method} ${call.url}`)
    return { schema: { ...schema, ...(operationId ? { operationId, tags: [groupOf(call.url)] } : {}) }, url }
  }
}

/** Describes the API by the very schemas that check its requests. To be registered before the routes. */
export const describeApi = async (
  app: FastifyInstance,
  { brand, publicUrl, cardForm }: Settings,
): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${brand.name} API`,
        version: '1',
        description: `Errors are application/problem+json (RFC 9457); \`detail\` is the message to show. Every answer has an \`x-request-id\`: the one that the call brought, if it is 8 to 64 letters, digits, dashes or underscores, else one of ours. A browser with the cookie \`${CSRF_COOKIE}\` (over TLS \`${SECURE_CSRF_COOKIE}\`, which wins) repeats its value as \`${CSRF_HEADER}\` in every call that changes something, or gets 403. A method that an address does not take gets 405, with \`Allow\`.`,
        contact: { name: brand.name, url: publicUrl, email: brand.company.email },
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: publicUrl }],
      tags,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session' },
          agent: {
            type: 'http',
            scheme: 'bearer',
            description: 'The secret that a node’s agent enrolled with',
          },
        },
      },
    },
    transform: describeCalls(cardForm),
  })
  // It stays the same while the shop runs, and making its 200 KB is work.
  let text: Buffer | undefined
  app.get(
    '/api/v1/openapi.json',
    { schema: { hide: true }, config: { access: 'anyone' } },
    (_request, reply) => {
      text ??= Buffer.from(JSON.stringify(app.swagger()))
      return reply.headers(ANSWER_HEADERS).type('application/json; charset=utf-8').send(text)
    },
  )
}
