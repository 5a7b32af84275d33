import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problems.ts'
import type { Settings } from '../settings.ts'
import { giveForgeryCookie } from './anti-forgery.ts'

/** Written by the storefront's build: paths without a page of their own, which the one client-rendered page serves. */
type BuiltRoutes = { clientRendered: string[] }

const YEAR = 'public, max-age=31536000, immutable'
const RESULT_PAGE = '/payment/result/:paymentId'
const API = '/api/'

/** Serves the built storefront: pages fresh each time, files with a hash in their name for ever, an unknown path as 404. */
export const serveStorefront = async (
  app: FastifyInstance,
  root: string,
  settings: Settings,
): Promise<void> => {
  const routesFile = join(root, 'routes.json')
  if (!existsSync(routesFile))
    throw new Error(`The storefront is not built: ${root} lacks routes.json (npm run build)`)
  const { clientRendered } = JSON.parse(readFileSync(routesFile, 'utf8')) as BuiltRoutes
  const isSecure = settings.publicUrl.startsWith('https:')

  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    // Each file gets a route of its own, so that what is left over can be our own 404.
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? YEAR : 'no-cache')
    },
  })

  app.addHook('onRequest', async (request, reply) => {
    const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
    if (isPage && !request.url.startsWith(API)) giveForgeryCookie(request, reply, isSecure)
  })

  for (const url of clientRendered) {
    app.route({
      method: 'GET',
      url,
      config: { postsToIssuers: url === RESULT_PAGE },
      schema: { hide: true },
      handler: (_request, reply) => reply.sendFile('spa.html'),
    })
  }

  const notFoundPage = await readFile(join(root, '404.html'), 'utf8')
  app.route({
    method: 'GET',
    url: '/*',
    schema: { hide: true },
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      const wantsPage = !request.url.startsWith(API) && request.headers.accept?.includes('text/html')
      if (!wantsPage) throw new Problem('not-found')
      return reply.code(404).type('text/html; charset=utf-8').send(notFoundPage)
    },
  })
}
