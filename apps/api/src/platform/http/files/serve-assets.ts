import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { isHashedName } from '#platform/http/files/kept-assets.ts'
import { guardAssets } from '#platform/http/security-headers.ts'

/** What is kept for other versions is a file with a hash in its name, and nothing else. */
const isKeptFile = (folder: string, path: string): boolean => {
  const name = path.replace(/^\//, '')
  return isHashedName(name) && (lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? false)
}

/** Serves the files with a hash in their name: this version's, then those that others have put into `kept`. */
export const serveAssets = async (
  app: FastifyInstance,
  root: string,
  kept: string | undefined,
): Promise<void> => {
  const own = join(root, 'assets')
  await app.register(async (assets) => {
    guardAssets(assets)
    await assets.register(fastifyStatic, {
      // The build has compressed the files, and says by their names that they may be kept.
      preCompressed: true,
      cacheControl: false,
      root: kept ? [own, kept] : own,
      allowedPath: (path, folder) => !kept || folder !== kept || isKeptFile(kept, path),
      prefix: '/assets/',
      etag: false,
      lastModified: false,
    })
  })
}
