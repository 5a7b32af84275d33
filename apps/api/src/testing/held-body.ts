import { request } from 'node:http'

/** Begins a call, and holds its body back after the first byte. Returns how to send the rest, for the answer's status. */
export const holdBody = (
  url: string,
  method: string,
  headers: Record<string, string>,
  body = '{}',
): (() => Promise<number | undefined>) => {
  const call = request(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': String(body.length) },
  })
  const status = new Promise<number | undefined>((done, failed) => {
    call.on('response', (response) => {
      done(response.statusCode)
      response.resume()
    })
    call.on('error', failed)
  })
  call.write(body.slice(0, 1))
  return () => {
    call.end(body.slice(1))
    return status
  }
}
