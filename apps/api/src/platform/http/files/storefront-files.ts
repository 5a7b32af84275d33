import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import { SAMPLE_LEGAL_TEXTS } from '@hedgerow/domain/legal-texts'
import type { FastifyInstance } from 'fastify'
import { setCsrfCookie } from '#platform/http/csrf.ts'
import { type LegalDocuments, serveLegalDocuments } from '#platform/http/files/legal-texts.ts'
import { builtFor, nameOwnAddress } from '#platform/http/files/own-address.ts'
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

/** The addresses that the files have. */
const addressesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((file) => !WITHOUT_ADDRESS.test(file))
    .map((file) => `/${file.replace(/(^|\/)index\.html$/, '')}`)

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
  const addresses = addressesIn(root)
  for (const address of addresses) makeKnown(address)
  const pathsFile = join(root, CLIENT_RENDERED)
  if (!existsSync(pathsFile)) throw new Error(`The storefront in ${root} is not built: run npm run build`)
  const clientRendered = JSON.parse(readFileSync(pathsFile, 'utf8')) as string[]
  const isSecure = settings.publicUrl.startsWith('https:')

  await serveAssets(app, root, keptAssets)
  await app.register(async (pages) => {
    await guardPages(pages)
    pages.addHook('onRequest', async (request, reply) => {
      if (request.headers.accept?.includes('text/html')) setCsrfCookie(request, reply, isSecure)
    })
    const own = `${settings.publicUrl}/`
    const built = builtFor(root) ?? own
    if (built !== own) nameOwnAddress(pages, built, own)
    await pages.register(fastifyStatic, {
      // The build has compressed them.
      ...(built === own
        ? { preCompressed: true }
        : { etag: false, lastModified: false, acceptRanges: false }),
      cacheControl: false,
      root,
      setHeaders: (reply) => reply.header('cache-control', 'no-cache'),
    })
    serveLegalDocuments(pages, legalDocuments)
    for (const url of clientRendered) {
      pages.route({
        method: 'GET',
        url,
        schema: { hide: true },
        ...(url === RESULT_PAGE ? { helmet: postsToIssuers(settings) } : {}),
        handler: (_request, reply) => reply.sendFile('spa.html'),
      })
    }
    for (const [, page] of addresses.map((address) => ASKED.exec(address) ?? [])) {
      if (page === undefined) continue
      pages.route({
        method: 'GET',
        url: `/${page}`,
        schema: { hide: true },
        handler: ({ url }, reply) => reply.sendFile(`${page}/${ASKS.test(url) ? 'asked' : 'index'}.html`),
      })
    }
  })
}
