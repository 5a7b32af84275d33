// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of many shapes, and a wrong path fails them anyway.
export type Json = any

export type Reply = { status: number; body: Json; text: string; bytes: Uint8Array; headers: Headers }

export type CallOptions = {
  /** Sent as JSON; text, bytes and form fields are sent as they are. */
  body?: unknown
  token?: string | undefined
  headers?: Record<string, string>
}

export type Call = (method: string, path: string, options?: CallOptions) => Promise<Reply>

const isRaw = (body: unknown): body is string | URLSearchParams | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof URLSearchParams || body instanceof Uint8Array

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Calls as a client does that is not a browser: no cookies, and redirects are returned, not followed. */
export const callerOf =
  (baseUrl: string): Call =>
  async (method, path, { body, token, headers } = {}) => {
    const isJson = body !== undefined && !isRaw(body)
    const response = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
    })
    const bytes = await response.bytes()
    const text = new TextDecoder().decode(bytes)
    return { status: response.status, body: parsed(text), text, bytes, headers: response.headers }
  }
