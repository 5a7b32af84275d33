import { createHash } from 'node:crypto'

/** What was fetched last: what to ask the server by. */
export type Fetched = { etag?: string; sha256: string }

const WITHIN_MS = 120_000
/** The longest list that is known has a third of it. */
const MOST_BYTES = 64 * 1_024 * 1_024
const MOST_REDIRECTS = 3

const isSafe = (url: URL, isPlainAllowed: boolean): boolean =>
  url.protocol === 'https:' || (isPlainAllowed && url.protocol === 'http:')

const get = async (
  address: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
  mayBePlain: boolean,
) => {
  let url = address
  for (let step = 0; step <= MOST_REDIRECTS; step++) {
    if (!isSafe(url, mayBePlain)) throw new Error(`${url.origin} is not https`)
    const response = await fetch(url, { headers, redirect: 'manual', signal })
    const next = response.status >= 300 && response.status < 400 && response.headers.get('location')
    if (!next) return response
    await response.body?.cancel()
    url = new URL(next, url)
  }
  throw new Error('it is redirected again and again')
}

/**
 * Fetches one list, bounded in time and size. 'same': the server says so, or it has the checksum of the last time. An address may
 * end in #sha256=HEX: then nothing else is taken.
 */
export const fetchSource = async (
  address: string,
  last: Fetched | undefined,
  mayBePlain = false,
): Promise<'same' | { text: string; fetched: Fetched }> => {
  const url = new URL(address)
  const [, pinned] = /^#sha256=([0-9a-f]{64})$/i.exec(url.hash) ?? []
  url.hash = ''
  const headers: Record<string, string> = last?.etag ? { 'if-none-match': last.etag } : {}
  const response = await get(url, headers, AbortSignal.timeout(WITHIN_MS), mayBePlain)
  if (response.status === 304 && last) return 'same'
  if (response.status !== 200) throw new Error(`the server answered ${response.status}`)
  const hash = createHash('sha256')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error(`it is longer than ${MOST_BYTES / 1_024 / 1_024} MB`)
    hash.update(chunk)
    chunks.push(chunk)
  }
  const sha256 = hash.digest('hex')
  if (pinned && sha256 !== pinned.toLowerCase())
    throw new Error('it does not have the checksum that its address names')
  if (sha256 === last?.sha256) return 'same'
  const etag = response.headers.get('etag')
  return { text: Buffer.concat(chunks).toString(), fetched: { sha256, ...(etag ? { etag } : {}) } }
}
