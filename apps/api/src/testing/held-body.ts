import { once } from 'node:events'
import { request } from 'node:http'

/**
 * Begins a call, and holds its body back after the first byte. Once the server has found its route, returns how to send the
 * rest, for the answer's status.
 */
export const holdBody = async (
  url: string,
  method: string,
  headers: Record<string, string>,
  body = '{}',
): Promise<() => Promise<number | undefined>> => {
  const call = request(url, {
    method,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(body.length),
      // Node answers it in the moment in which it hands the call on.
      expect: '100-continue',
    },
  })
  const status = new Promise<number | undefined>((done, failed) => {
    call.on('response', (response) => {
      done(response.statusCode)
      response.resume()
    })
    call.on('error', failed)
  })
  const begun = once(call, 'continue')
  call.write(body.slice(0, 1))
  await begun
  return () => {
    call.end(body.slice(1))
    return status
  }
}
