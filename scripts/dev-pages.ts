/** `npm run dev`: the pages by Vite, which replaces what changes in an open page, in front of the API. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join, relative } from 'node:path'
import { CSRF_COOKIE, SECURE_CSRF_COOKIE } from '@hedgerow/contract/csrf'
import { createLogger, createServer as createVite, type Plugin } from 'vite'
import { setSampleLegalTexts } from './build-pages.ts'
import { isPartOfApi } from './restarts.ts'

type Site = {
  name: 'storefront' | 'console'
  host: string
  port: number
  publicUrl: string
  /** Where the API listens for this site. */
  apiUrl: string
}

type Dev = {
  root: string
  sites: Site[]
  /** Resolves once the API is ready, to undefined while it cannot start. */
  apiReady: () => Promise<unknown>
  /** A file that the API is made of has changed. */
  apiChanged: () => void
}

/** What the API answers, all else are pages. */
const API = '^/(?:api/|healthz|readyz|\\.well-known/)'
const isForApi = new RegExp(API)

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** While the API restarts, calls wait for it. */
const waitForApi =
  (apiReady: Dev['apiReady']): Handler =>
  async ({ url = '' }, response, next) => {
    if (!isForApi.test(url) || (await apiReady())) return next()
    const detail = 'The API does not start. The terminal says why.'
    response.writeHead(503, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ title: 'Service Unavailable', status: 503, detail }))
  }

/** As the API does with a built page, so that calls have to repeat it in development too. */
const giveCsrfCookie =
  (publicUrl: string): Handler =>
  ({ headers }, response, next) => {
    const isSecure = publicUrl.startsWith('https:')
    const name = isSecure ? SECURE_CSRF_COOKIE : CSRF_COOKIE
    if (headers.accept?.includes('text/html') && !headers.cookie?.includes(`${name}=`)) {
      const value = randomBytes(24).toString('base64url')
      response.setHeader('set-cookie', `${name}=${value}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`)
    }
    next()
  }

const devPlugin = ({ name, publicUrl }: Site, { root, apiReady, apiChanged }: Dev): Plugin => ({
  name: 'hedgerow-dev',
  configureServer: ({ middlewares, watcher }) => {
    middlewares.use(waitForApi(apiReady))
    middlewares.use(giveCsrfCookie(publicUrl))
    if (name === 'console') return
    watcher.add(['apps/api/src', 'apps/api/migrations', 'packages'].map((folder) => join(root, folder)))
    watcher.on('all', (event, file) => {
      if (!event.endsWith('Dir') && isPartOfApi(relative(root, file))) apiChanged()
    })
  },
})

const serveSite = async (site: Site, dev: Dev): Promise<void> => {
  const folder = join(dev.root, 'apps', site.name)
  const http = createServer()
  const { middlewares } = await createVite({
    root: folder,
    configFile: join(folder, 'vite.config.ts'),
    configLoader: 'native',
    cacheDir: join(dev.root, 'node_modules', '.cache', 'hedgerow-vite', site.name),
    customLogger: createLogger('info', { prefix: `[${site.name}]`, allowClearScreen: false }),
    plugins: [devPlugin(site, dev)],
    server: {
      // On a server of our own: at a signal Vite's would end the process before what this has started.
      middlewareMode: true,
      hmr: { server: http },
      cors: false,
      allowedHosts: [new URL(site.publicUrl).hostname],
      proxy: { [API]: { target: site.apiUrl } },
    },
  })
  http.on('request', middlewares).listen(site.port, site.host)
  await once(http, 'listening')
}

/**
 * Opens the sites. They have no content security policy: Vite puts scripts and styles into the document, which ours would
 * refuse. `npm start` and the browser tests have it.
 */
export const servePages = async (dev: Dev): Promise<void> => {
  setSampleLegalTexts()
  await Promise.all(dev.sites.map((site) => serveSite(site, dev)))
}
