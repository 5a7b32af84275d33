import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'
import { request as requestTls, Agent as TlsAgent } from 'node:https'
import { Agent as PlainAgent, request as requestPlain } from './node-http.ts'

/** No server was reached, or nothing came back that could be read. `code` says what it was, as the system or TLS names it. */
export class Unreachable extends Error {
  override name = 'Unreachable'
  readonly code: string
  constructor(code: string, options?: ErrorOptions) {
    super(`no answer: ${code}`, options)
    this.code = code
  }
}

/** In one word, for logs and messages. */
export const whyNot = (error: unknown): string =>
  error instanceof Unreachable ? error.code : (error as Error).name

type Asking = {
  headers?: Readonly<Record<string, string>>
  /** Ends the call where it is; what it was aborted with is thrown. */
  signal: AbortSignal
  /** More is not read. */
  mostBytes?: number
}

type Body = string | Uint8Array

export type Answer = { status: number; text: string; headers: IncomingHttpHeaders }

/** Less than the 5 s after which most servers close what is not used: what is sent on a connection that closes may be lost. */
const KEPT_MS = 4_000
const KEPT = { keepAlive: true, timeout: KEPT_MS, scheduling: 'lifo' } as const
const plain = new PlainAgent(KEPT)
const tls = new TlsAgent(KEPT)

const MOST_BYTES = 1024 * 1024

const codeOf = ({ code, name }: NodeJS.ErrnoException): string => code ?? name

const failing =
  (signal: AbortSignal, failed: (reason: unknown) => void) =>
  (error: NodeJS.ErrnoException): void =>
    failed(signal.aborted ? signal.reason : new Unreachable(codeOf(error), { cause: error }))

const begin = (url: string, options: RequestOptions, onAnswer: (response: IncomingMessage) => void) =>
  url.startsWith('https:')
    ? requestTls(url, { ...options, agent: tls }, onAnswer)
    : requestPlain(url, { ...options, agent: plain }, onAnswer)

const isRedirect = ({ statusCode: status = 0 }: IncomingMessage): boolean => status >= 300 && status < 400

/** GETs what is too long for memory: the answer's body comes piece by piece, and is read to its end or destroyed. No redirect is one. */
export const receive = (
  url: string,
  { headers, signal }: Pick<Asking, 'headers' | 'signal'>,
): Promise<IncomingMessage> =>
  new Promise((answered, failed) => {
    begin(url, { method: 'GET', headers: { ...headers }, signal }, (response) => {
      if (!isRedirect(response)) return answered(response)
      response.destroy()
      failed(new Unreachable('REDIRECT'))
    })
      .on('error', failing(signal, failed))
      .end()
  })

/**
 * Sends a request over a connection that is kept open for the next. Follows no redirect. Throws Unreachable where there is no
 * whole answer of at most `mostBytes` (1 MiB), and the signal's reason where that ended it. Any status is an answer but a redirect.
 */
export const send = (
  url: string,
  { method, body, headers, signal, mostBytes = MOST_BYTES }: Asking & { method: string; body?: Body },
): Promise<Answer> =>
  new Promise((answered, failed) => {
    const fail = failing(signal, failed)
    const call = begin(url, { method, headers: { ...headers }, signal }, (response) => {
      const { statusCode: status = 0, headers } = response
      const pieces: Buffer[] = []
      let bytes = 0
      response.on('error', fail)
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes > mostBytes) response.destroy(new Unreachable('TOO_LONG'))
        else pieces.push(piece)
      })
      response.on('end', () => {
        if (isRedirect(response)) failed(new Unreachable('REDIRECT'))
        else answered({ status, text: Buffer.concat(pieces).toString('utf8'), headers })
      })
    })
    call.on('error', fail)
    call.end(body)
  })

/** POSTs a JSON text, as `send` does. */
export const postJson = (url: string, json: string, { headers, ...asking }: Asking): Promise<Answer> =>
  send(url, {
    ...asking,
    method: 'POST',
    body: json,
    headers: { 'content-type': 'application/json', ...headers },
  })
