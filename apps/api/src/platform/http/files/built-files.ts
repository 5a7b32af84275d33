import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import negotiate from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKept } from '#platform/http/cached-reply.ts'

/** Of the kinds of files that the builds write. */
const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'application/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.xml', 'application/xml'],
  ['.pdf', 'application/pdf'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.webp', 'image/webp'],
  ['.avif', 'image/avif'],
  ['.ico', 'image/vnd.microsoft.icon'],
  ['.woff2', 'font/woff2'],
])

/** The build has compressed the files, for who can read that: best first. */
const ENDINGS = new Map([
  ['br', '.br'],
  ['gzip', '.gz'],
])
const ENCODINGS = [...ENDINGS.keys()]

export type BuiltFile = Readonly<{ bytes: Buffer; etag: string; headers: Readonly<Record<string, string>> }>

export const etagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

type Read = {
  folder: string
  name: string
  /** What the caller says to be able to read. */
  accepts: string | undefined
  /** Whether there is such a file, which may be a compressed one. */
  isThere: (file: string) => boolean
  /** Where it was read before. */
  kept?: Map<string, BuiltFile>
  change?: ((text: string) => string) | undefined
}

/** As the caller can read it best; undefined: it is not there. */
export const readBuilt = async ({ folder, name, accepts, isThere, kept, change }: Read) => {
  if (!isThere(name)) return undefined
  const asked = change ? null : negotiate(accepts ?? '', ENCODINGS)
  const encoding = asked && isThere(`${name}${ENDINGS.get(asked)}`) ? asked : undefined
  const file = encoding ? `${name}${ENDINGS.get(encoding)}` : name
  // Not by the file alone: who asks for a compressed one by its own name is not told that it is compressed.
  const key = `${name} ${encoding}`
  const known = kept?.get(key)
  if (known) return known
  // One that has gone since the start is as any that is not there.
  const read = await readFile(join(folder, file)).catch(() => undefined)
  if (!read) return undefined
  const bytes = change ? Buffer.from(change(read.toString())) : read
  const built: BuiltFile = {
    bytes,
    etag: etagOf(bytes),
    headers: {
      'content-type': TYPES.get(extname(name)) ?? 'application/octet-stream',
      vary: 'accept-encoding',
      ...(encoding ? { 'content-encoding': encoding } : {}),
    },
  }
  kept?.set(key, built)
  return built
}

const NAMES_ADDRESS = /\.(?:html|txt|xml)$/

/**
 * The files of a folder, as they are at the start: each is read when it is first asked for, and kept in memory from then on;
 * read for each answer it took the processor ten times as long. `change` is made to all texts but scripts and styles.
 */
export const openBuilt = (folder: string, change?: (text: string) => string) => {
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  )
  const kept = new Map<string, BuiltFile>()
  return {
    names,
    find: (name: string, { headers }: Pick<FastifyRequest, 'headers'>): Promise<BuiltFile | undefined> =>
      readBuilt({
        folder,
        name,
        accepts: headers['accept-encoding'],
        isThere: (file) => names.has(file),
        kept,
        change: NAMES_ADDRESS.test(name) ? change : undefined,
      }),
  }
}

/** Answers with a page, which is asked for each time and sent where it has changed; to be returned by a handler. */
export const sendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: BuiltFile | undefined,
): FastifyReply | Buffer => {
  if (!page) {
    reply.callNotFound()
    return reply
  }
  // Where a page is kept, too: a cache takes the headers of that answer for the page's.
  reply.headers(page.headers)
  return isKept(request, reply, page.etag, 'no-cache') ? reply.send() : page.bytes
}
