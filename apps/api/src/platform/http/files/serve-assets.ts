import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openBuilt, readBuilt } from '#platform/http/files/built-files.ts'
import { isHashedName } from '#platform/http/files/kept-assets.ts'
import { ASSET_HEADERS } from '#platform/http/security-headers.ts'

/** What is kept for other versions is a file with a hash in its name, and nothing else. */
const isKeptFile = (folder: string, name: string): boolean =>
  isHashedName(name) && (lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? false)

/** Serves the files with a hash in their name: this version's, then those that others have put into `kept`. */
export const serveAssets = (app: FastifyInstance, root: string, kept: string | undefined): void => {
  const own = openBuilt(join(root, 'assets'))
  const findKept = (folder: string, name: string, accepts: string | undefined) =>
    readBuilt({ folder, name, accepts, isThere: (file) => isKeptFile(folder, file) })
  app.get<{ Params: { '*': string } }>('/assets/*', { schema: { hide: true } }, async (request, reply) => {
    const name = request.params['*']
    const file =
      (await own.find(name, request)) ??
      (kept && (await findKept(kept, name, request.headers['accept-encoding'])))
    if (!file) {
      reply.callNotFound()
      return reply
    }
    reply.headers({ ...ASSET_HEADERS, ...file.headers })
    return file.bytes
  })
}
