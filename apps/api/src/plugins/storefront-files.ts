import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings.ts'
import { giveForgeryCookie } from './anti-forgery.ts'
import { guardPages, postsToIssuers } from './security-headers.ts'

/** Written by the storefront's build: the paths without a page of their own, which one client-rendered page serves. */
const CLIENT_RENDERED = 'spa-paths.json'
/** The one page that sends customers to the issuer's or the bank's page, by a form. */
const RESULT_PAGE = '/payment/result/:paymentId'
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Serves the built storefront: pages fresh each time, files with a hash in their name for ever. */
export const serveStorefront = async (
  app: FastifyInstance,
  root: string,
  settings: Settings,
): Promise<void> => {
  const pathsFile = join(root, CLIENT_RENDERED)
  if (!existsSync(pathsFile)) throw new Error(`The storefront in ${root} is not built: run npm run build`)
  const clientRendered = JSON.parse(readFileSync(pathsFile, 'utf8')) as string[]
  const isSecure = settings.publicUrl.startsWith('https:')

  await guardPages(app, settings)
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.accept?.includes('text/html')) giveForgeryCookie(request, reply, isSecure)
  })
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? FOR_EVER : 'no-cache')
    },
  })
  for (const url of clientRendered) {
    app.route({
      method: 'GET',
      url,
      schema: { hide: true },
      ...(url === RESULT_PAGE ? { helmet: postsToIssuers(settings) } : {}),
      handler: (_request, reply) => reply.sendFile('spa.html'),
    })
  }
}

/** The page for a path that leads nowhere. */
export const readNotFoundPage = (root: string): string => readFileSync(join(root, '404.html'), 'utf8')
