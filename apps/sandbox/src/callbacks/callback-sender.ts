import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Agent as HttpAgent, request as httpRequest } from '@hedgerow/io/node-http'

const TRY_TIMEOUT_MS = 10_000

export type CallbackSender = {
  /** The HTTP status, or 0 when no answer came. Redirects are answers too: they are not followed. */
  post(url: string, text: string, headers?: Record<string, string>): Promise<number>
  close(): void
}

/** Plain node:http: at the rates of a load test, fetch costs several times the processor time. */
export const startCallbackSender = (): CallbackSender => {
  const options = { keepAlive: true, maxSockets: 128 }
  const http = new HttpAgent(options)
  const https = new HttpsAgent(options)

  const post = (url: string, text: string, headers: Record<string, string> = {}): Promise<number> =>
    new Promise((resolve) => {
      const isSecure = url.startsWith('https:')
      const request = (isSecure ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: isSecure ? https : http,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(text),
          ...headers,
        },
      })
      const timer = setTimeout(() => request.destroy(), TRY_TIMEOUT_MS)
      timer.unref()
      const end = (status: number) => {
        clearTimeout(timer)
        resolve(status)
      }
      request.on('response', (response) => {
        response.resume()
        response.on('end', () => end(response.statusCode ?? 0))
        response.on('error', () => end(0))
      })
      request.on('error', () => end(0))
      request.on('close', () => end(0))
      request.end(text)
    })

  return {
    post,
    close: () => {
      http.destroy()
      https.destroy()
    },
  }
}
