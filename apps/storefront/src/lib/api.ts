import { ApiError, type Client, createClient } from '@hedgerow/contract/client'
import { CSRF_COOKIE, CSRF_HEADER, SECURE_CSRF_COOKIE } from '@hedgerow/contract/csrf'
import { routes } from '@hedgerow/contract/routes'
import { forgetEndedToken, readToken } from '#lib/access-token.ts'

const cookie = (name: string) =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

const headers = (method: string): Record<string, string> => {
  const token = readToken()
  const isSafe = method === 'GET' || method === 'HEAD'
  const csrf = isSafe ? undefined : (cookie(SECURE_CSRF_COOKIE) ?? cookie(CSRF_COOKIE))
  return {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    // As it stands: the shop's own value holds nothing to decode.
    ...(csrf ? { [CSRF_HEADER]: csrf } : {}),
  }
}

const client = createClient(routes, { headers })

type Mend = <R>(refusal: ApiError, sent: string, call: () => Promise<R>) => Promise<R>
let loadMend: (() => Promise<Mend>) | undefined

/** What is done about a call that was refused because of its session is above here, and loaded when it is needed. */
export const mendCallsBy = (load: () => Promise<Mend>): void => {
  loadMend = load
}

const mended = async <R>(name: string, call: () => Promise<R>): Promise<R> => {
  const token = readToken()
  try {
    return await call()
  } catch (error) {
    if (!token || !(error instanceof ApiError)) throw error
    // The session is over (spec §8), or goes on by another token. A refused log-in says nothing about it.
    const isOver =
      error.status === 401 && !(routes as Record<string, { url: string }>)[name]?.url.includes('/login')
    if (!isOver && error.problem.code !== 'ask-again') throw error
    const mend = await loadMend?.().catch(() => undefined)
    if (mend) return mend(error, token, call)
    if (isOver) forgetEndedToken(token)
    throw error
  }
}

/** The API, typed by the contract: `api.call('getOrder', { params: { id } })`. */
export const api: Client = {
  call: (name, options) => mended(name, () => client.call(name, options)),
  page: (name, options) => mended(name, () => client.page(name, options)),
}
