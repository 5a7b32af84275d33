import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { isConsoleSecure } from '#people/operators/guard-operators.ts'
import type { With } from '#platform/dependencies.ts'
import { setCsrfCookie } from '#platform/http/csrf.ts'
import { openBuilt, sendPage } from '#platform/http/files/built-files.ts'
import { serveAssets } from '#platform/http/files/serve-assets.ts'
import { guardPages } from '#platform/http/security-headers.ts'

const isForPeople = ({
  headers,
  method,
  url,
}: {
  headers: { accept?: string }
  method: string
  url: string
}) => method === 'GET' && !/^\/(?:api|assets)\//.test(url) && (headers.accept?.includes('text/html') ?? false)

/** Serves the built console: one page for every address of people, files with a hash in their name for ever. */
export const serveConsoleFiles = async (
  app: FastifyInstance,
  deps: With<'settings'>,
  root: string,
  keptAssets?: string,
): Promise<void> => {
  if (!existsSync(join(root, 'index.html')))
    throw new Error(`The console in ${root} is not built: run npm run build`)
  serveAssets(app, root, keptAssets)
  const files = openBuilt(root)
  await app.register(async (pages) => {
    await guardPages(pages)
    pages.get('/*', { schema: { hide: true }, config: { access: 'anyone' } }, async (request, reply) => {
      if (!isForPeople(request)) return reply.callNotFound()
      setCsrfCookie(request, reply, isConsoleSecure(deps))
      reply.header('x-robots-tag', 'noindex')
      return sendPage(request, reply, await files.find('index.html', request))
    })
  })
}
