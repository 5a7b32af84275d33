import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SAMPLE_LEGAL_TEXTS } from '@hedgerow/domain/legal-texts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { setCsrfCookie } from '#platform/http/csrf.ts'
import { openBuilt, sendPage } from '#platform/http/files/built-files.ts'
import { type LegalDocuments, serveLegalDocuments } from '#platform/http/files/legal-texts.ts'
import { builtFor } from '#platform/http/files/own-address.ts'
import { serveAssets } from '#platform/http/files/serve-assets.ts'
import { guardPages, postsToIssuers } from '#platform/http/security-headers.ts'
import type { Settings } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'

/** Written by the storefront's build: the paths without a page of their own, which one client-rendered page serves. */
const CLIENT_RENDERED = 'spa-paths.json'
/** Beside a page that tells of what follows the '?': the same without content, which the client draws. */
const ASKED = /^\/(.+)\/asked\.html$/
const ASKS = /[?&](?:redirectUrl|email)=/
/** The one page that sends customers to the issuer's or the bank's page, by a form. */
const RESULT_PAGE = '/payment/result/:paymentId'
/** Compressed for those who can read it, and what is for the server alone. */
const WITHOUT_ADDRESS = /\.(?:br|gz)$|^(?:spa-paths|built-from)\.json$/

const addressOf = (name: string): string => `/${name.replace(/(^|\/)index\.html$/, '')}`

/** The page for a path that leads nowhere. */
export const readNotFoundPage = (root: string): string => readFileSync(join(root, '404.html'), 'utf8')

type Storefront = {
  /** The folder that it was built into. */
  root: string
  /** Where the files of its other versions are. */
  keptAssets: string | undefined
  settings: Settings
  legalDocuments: LegalDocuments
  makeKnown: (path: string) => void
}

/** Serves the built storefront: pages fresh each time, files with a hash in their name for ever. */
export const serveStorefront = async (
  app: FastifyInstance,
  { root, keptAssets, settings, legalDocuments, makeKnown }: Storefront,
): Promise<void> => {
  if (settings.isProduction && readNotFoundPage(root).includes(SAMPLE_LEGAL_TEXTS))
    throw new StartError('The storefront was built for development: run npm run build')
  const own = `${settings.publicUrl}/`
  const built = builtFor(root) ?? own
  // Pages that were built for another address, as in development for another port, name the shop's own.
  const files = openBuilt(root, built === own ? undefined : (text) => text.replaceAll(built, own))
  const pageFiles = new Set([...files.names].filter((name) => !WITHOUT_ADDRESS.test(name)))
  const addresses = [...pageFiles].map(addressOf)
  for (const address of addresses) makeKnown(address)
  const send = async (request: FastifyRequest, reply: FastifyReply, name: string) =>
    sendPage(request, reply, pageFiles.has(name) ? await files.find(name, request) : undefined)
  const pathsFile = join(root, CLIENT_RENDERED)
  if (!existsSync(pathsFile)) throw new Error(`The storefront in ${root} is not built: run npm run build`)
  const clientRendered = JSON.parse(readFileSync(pathsFile, 'utf8')) as string[]
  const isSecure = settings.publicUrl.startsWith('https:')

  serveAssets(app, root, keptAssets)
  await app.register(async (pages) => {
    await guardPages(pages)
    pages.addHook('onRequest', async (request, reply) => {
      if (request.headers.accept?.includes('text/html')) setCsrfCookie(request, reply, isSecure)
    })
    pages.get<{ Params: { '*': string } }>('/*', { schema: { hide: true } }, (request, reply) => {
      const path = request.params['*']
      return send(request, reply, pageFiles.has(path) ? path : join(path, 'index.html'))
    })
    serveLegalDocuments(pages, legalDocuments)
    for (const url of clientRendered) {
      pages.route({
        method: 'GET',
        url,
        schema: { hide: true },
        ...(url === RESULT_PAGE ? { helmet: postsToIssuers(settings) } : {}),
        handler: (request, reply) => send(request, reply, 'spa.html'),
      })
    }
    for (const [, page] of addresses.map((address) => ASKED.exec(address) ?? [])) {
      if (page === undefined) continue
      pages.route({
        method: 'GET',
        url: `/${page}`,
        schema: { hide: true },
        handler: (request, reply) =>
          send(request, reply, `${page}/${ASKS.test(request.url) ? 'asked' : 'index'}.html`),
      })
    }
  })
}
