/** The few calls of S3 that backups need, as AWS, Backblaze, Cloudflare, MinIO and others answer them: by path, signed (SigV4). */
import { createHash } from 'node:crypto'
import { type Answer, receive, send, Unreachable } from '@hedgerow/io/post-json'
import { BackupFault } from '#care/backup/backup-fault.ts'
import type { Bucket } from '#platform/settings/backup-variables.ts'

const WITHIN_MS = 60_000
/** A part on a slow line. */
const PART_WITHIN_MS = 600_000

const KEYS = 'See BACKUP_S3_KEY and BACKUP_S3_SECRET, and what the key may do there.'
const REGION = 'Set BACKUP_S3_REGION to the bucket’s region.'

/** What a bucket's words mean to whoever has to mend it. Their own sentences may name anything. */
const MEANINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AccessDenied: `the key may not do that. ${KEYS}`,
    AuthorizationHeaderMalformed: `the region is another one. ${REGION}`,
    AuthorizationQueryParametersError: `the region is another one. ${REGION}`,
    InvalidAccessKeyId: `it does not know the key. ${KEYS}`,
    NoSuchBucket: 'there is no such bucket. See BACKUP_S3.',
    NoSuchKey: 'it is not there',
    PermanentRedirect: `the region is another one. ${REGION}`,
    QuotaExceeded: 'it is full',
    RequestTimeTooSkewed: 'this machine’s clock is wrong',
    SignatureDoesNotMatch: `the secret is not the key’s. ${KEYS}`,
  }),
)

/** The first word of that name, of XML that says few things. */
const wordIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]{1,1024})</${name}>`).exec(xml)?.[1]

/** Whatever came of a call that was not what it should be. */
const refused = (status: number, xml: string): BackupFault => {
  const code = wordIn(xml, 'Code') ?? (status === 403 ? 'AccessDenied' : '')
  const meaning = MEANINGS.get(code) ?? `it answers ${status}${/^\w{1,60}$/.test(code) ? ` ${code}` : ''}`
  return new BackupFault(`The bucket refuses: ${meaning}${/[.]$/.test(meaning) ? '' : '.'}`)
}

const faultOf = (error: unknown): unknown => {
  const { code, name } = error as { code?: string; name?: string }
  if (code === 'REDIRECT') return refused(301, '<Code>PermanentRedirect</Code>')
  if (error instanceof Unreachable || name === 'TimeoutError')
    return new BackupFault(`The bucket does not answer: ${code ?? 'it took too long'}.`)
  return error
}

type Asking = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Of an object; of the bucket itself it is empty. */
  key: string
  query?: Readonly<Record<string, string>>
  body?: Uint8Array | string
  signal: AbortSignal
}

export const s3 = (bucket: Bucket) => {
  const { origin, pathname } = new URL(bucket.url)
  const [, name = '', ...folders] = pathname.split('/')
  const prefix = folders.map((folder) => `${folder}/`).join('')

  const signed = async ({ method, key, query = {}, body = '' }: Asking) => {
    const { AwsV4Signer } = await import('aws4fetch')
    const url = new URL(`${origin}/${name}${key && `/${key}`}`)
    for (const [word, value] of Object.entries(query)) url.searchParams.set(word, value)
    const { headers } = await new AwsV4Signer({
      ...{ method, url: url.href, service: 's3', accessKeyId: bucket.key, secretAccessKey: bucket.secret },
      ...(bucket.region ? { region: bucket.region } : {}),
      // What arrives there is what was sent from here, or it is refused.
      headers: { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
    }).sign()
    return { url: url.href, headers: Object.fromEntries(headers) }
  }

  /** Any status is an answer. */
  const ask = async (asking: Asking, withinMs = WITHIN_MS): Promise<Answer> => {
    const { method, body, signal } = asking
    const { url, headers } = await signed(asking)
    try {
      return await send(url, {
        ...{ method, headers, signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]) },
        ...(body ? { body } : {}),
      })
    } catch (error) {
      throw signal.aborted ? error : faultOf(error)
    }
  }

  const must = async (asking: Asking, withinMs?: number): Promise<Answer> => {
    const answer = await ask(asking, withinMs)
    if (answer.status >= 300) throw refused(answer.status, answer.text)
    return answer
  }

  const upload = (key: string, uploadId: string) => ({
    part: async (number: number, body: Uint8Array, signal: AbortSignal): Promise<string> => {
      const query = { partNumber: String(number), uploadId }
      const { headers } = await must({ method: 'PUT', key, query, body, signal }, PART_WITHIN_MS)
      return String(headers.etag)
    },
    complete: async (etags: readonly string[], signal: AbortSignal): Promise<void> => {
      const parts = etags.map(
        (etag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const { status, text } = await must(
        { method: 'POST', key, query: { uploadId }, body, signal },
        PART_WITHIN_MS,
      )
      // It may think better of it when the status has long been sent.
      if (wordIn(text, 'Code')) throw refused(status, text)
    },
    abort: (signal: AbortSignal) => ask({ method: 'DELETE', key, query: { uploadId }, signal }),
  })

  /** What begins so, a thousand at a time. */
  const list = async (begin: string, signal: AbortSignal): Promise<{ key: string; bytes: number }[]> => {
    const found: { key: string; bytes: number }[] = []
    let from: string | undefined
    do {
      const query = {
        'list-type': '2',
        prefix: begin,
        ...(from === undefined ? {} : { 'continuation-token': from }),
      }
      const { text } = await must({ method: 'GET', key: '', query, signal })
      for (const one of text.split('<Contents>').slice(1))
        found.push({ key: wordIn(one, 'Key') ?? '', bytes: Number(wordIn(one, 'Size')) })
      from = wordIn(text, 'IsTruncated') === 'true' ? wordIn(text, 'NextContinuationToken') : undefined
    } while (from !== undefined)
    return found
  }

  return {
    prefix,
    list,
    upload,
    begin: async (key: string, signal: AbortSignal): Promise<string> => {
      const { text, status } = await must({ method: 'POST', key, query: { uploads: '' }, signal })
      const id = wordIn(text, 'UploadId')
      if (!id) throw refused(status, text)
      return id
    },
    /** In bytes; undefined: it is not there. */
    size: async (key: string, signal: AbortSignal): Promise<number | undefined> => {
      const { status, headers } = await ask({ method: 'HEAD', key, signal })
      if (status === 200) return Number(headers['content-length'])
      // Its answer has no words.
      return (await list(key, signal)).find((one) => one.key === key)?.bytes
    },
    read: async function* (key: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
      const { url, headers } = await signed({ method: 'GET', key, signal })
      try {
        const answer = await receive(url, { headers, signal })
        if (answer.statusCode === 200) return yield* answer
        let words = ''
        for await (const piece of answer) words = `${words}${piece}`.slice(0, 10_000)
        throw refused(answer.statusCode ?? 0, words)
      } catch (error) {
        if (signal.aborted) throw error
        const { code } = error as NodeJS.ErrnoException
        throw code ? faultOf(new Unreachable(code, { cause: error })) : error
      }
    },
    remove: async (key: string, signal: AbortSignal): Promise<void> => {
      await must({ method: 'DELETE', key, signal })
    },
  }
}
