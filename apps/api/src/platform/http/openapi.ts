import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { CSRF_COOKIE, CSRF_HEADER, SECURE_CSRF_COOKIE } from '@hedgerow/contract/csrf'
import { allRoutes } from '@hedgerow/contract/machine-routes'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import { ANSWER_HEADERS } from '#platform/http/security-headers.ts'
import type { Settings } from '#platform/settings.ts'

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>

/** The first part of an address that says what it is about. */
const groupOf = (url: string): string => url.split('/')[3]?.replace(/\.\w+$/, '') ?? 'other'

type Routes = Readonly<Record<string, Readonly<{ method: string; url: string }>>>

/** Each call by the name that programs of ours call it by. Of two at one address the first is there. */
const describeCalls = (routes: Routes): Transform => {
  const named = Object.entries(routes).map(([name, { method, url }]) => [`${method} ${url}`, name] as const)
  const names = new Map(named.reverse())
  const describe = createJsonSchemaTransform({})
  return (call) => {
    const { schema, url } = describe(call as Parameters<typeof describe>[0])
    const operationId = names.get(`${call.route.method} ${call.url}`)
    return { schema: { ...schema, ...(operationId ? { operationId, tags: [groupOf(call.url)] } : {}) }, url }
  }
}

type Described = {
  title: string
  description: string
  url: string
  brand: Settings['brand']
  routes: Routes
  securitySchemes: NonNullable<OpenAPIV3_1.ComponentsObject['securitySchemes']>
}

const ERRORS =
  'Errors are application/problem+json (RFC 9457); `detail` is the message to show. Every answer has an `x-request-id`: the one that the call brought, if it is 8 to 64 letters, digits, dashes or underscores, else one of ours.'
const OTHER_METHODS = 'A method that an address does not take gets 405, with `Allow`.'

const BEARER = { type: 'http', scheme: 'bearer' } as const

/** What the shop's own listener offers. Two calls share an address: which of them is there is a setting. */
export const shopApi = ({ brand, publicUrl, cardForm }: Settings): Described => {
  const routes = Object.entries(allRoutes)
  return {
    title: `${brand.name} API`,
    description: `${ERRORS} A browser with the cookie \`${CSRF_COOKIE}\` (over TLS \`${SECURE_CSRF_COOKIE}\`, which wins) repeats its value as \`${CSRF_HEADER}\` in every call that changes something, or gets 403. ${OTHER_METHODS}`,
    url: publicUrl,
    brand,
    routes: Object.fromEntries(cardForm === 'hosted' ? routes.reverse() : routes),
    securitySchemes: {
      bearer: { ...BEARER, description: 'The token of a session' },
      agent: { ...BEARER, description: 'The secret that a node’s agent enrolled with' },
    },
  }
}

/** What operators' listener offers. */
export const consoleApi = ({ brand, consoleUrl }: Settings, routes: Routes): Described => ({
  title: `${brand.name} console API`,
  description: `${ERRORS} What a program may do is said by the token that an operator made for it; it has an end. A browser logs in and has a cookie; in every call that changes something it repeats the cookie \`${CSRF_COOKIE}\` as \`${CSRF_HEADER}\`. ${OTHER_METHODS}`,
  url: consoleUrl,
  brand,
  routes,
  securitySchemes: { operator: { ...BEARER, description: 'A token that an operator made' } },
})

/** Describes the API by the very schemas that check its requests. To be registered before the routes. */
export const describeApi = async (
  app: FastifyInstance,
  { title, description, url, brand, routes, securitySchemes }: Described,
): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: '1',
        description,
        contact: { name: brand.name, url, email: brand.company.email },
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url }],
      tags: [...new Set(Object.values(routes).map(({ url }) => groupOf(url)))]
        .sort()
        .map((name) => ({ name })),
      components: { securitySchemes },
    },
    transform: describeCalls(routes),
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
