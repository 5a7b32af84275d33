import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'

const NAMES_ADDRESS = /^(?:text\/(?:html|plain)|application\/xml)/

/** The address that pages were built to name, with a slash at its end; undefined where they name none. */
export const builtFor = (root: string): string | undefined => {
  const robots = join(root, 'robots.txt')
  return existsSync(robots)
    ? /^Sitemap: (.+\/)sitemap\.xml$/m.exec(readFileSync(robots, 'utf8'))?.[1]
    : undefined
}

/** Pages that were built for another address, as in development for another port, name the shop's own. */
export const nameOwnAddress = (pages: FastifyInstance, built: string, own: string): void => {
  pages.addHook('onSend', async ({ method }, reply, payload) => {
    const isPage = method === 'GET' && NAMES_ADDRESS.test(String(reply.getHeader('content-type')))
    if (!isPage || !(payload instanceof Readable)) return payload
    const page = (await text(payload)).replaceAll(built, own)
    reply.header('content-length', Buffer.byteLength(page))
    return page
  })
}
