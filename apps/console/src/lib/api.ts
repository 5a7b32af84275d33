import { ApiError, createClient } from '@hedgerow/contract/client'
import type * as endpoints from '@hedgerow/contract/console/endpoints'
import { consoleRoutes } from '@hedgerow/contract/console/routes'
import { CSRF_COOKIE, CSRF_HEADER, SECURE_CSRF_COOKIE } from '@hedgerow/contract/csrf'

const cookie = (name: string) =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

const headers = (method: string): Record<string, string> => {
  const csrf = method === 'GET' ? undefined : (cookie(SECURE_CSRF_COOKIE) ?? cookie(CSRF_COOKIE))
  return csrf ? { [CSRF_HEADER]: csrf } : {}
}

const client = createClient<typeof endpoints>(consoleRoutes, { headers })

/** What the pages above do about a session that is over, or that has to be proved again. */
type Hooks = { onOver: () => void; askAgain: () => Promise<boolean> }
let hooks: Hooks | undefined
export const mendCallsBy = (above: Hooks): void => {
  hooks = above
}

let asking: Promise<boolean> | undefined
/** Several calls that need it at once ask once. */
const askOnce = (above: Hooks): Promise<boolean> => {
  asking ??= above.askAgain().finally(() => {
    asking = undefined
  })
  return asking
}

const declined = ({ problem }: ApiError) =>
  new ApiError({ ...problem, detail: 'You did not confirm that it is you, so nothing was changed.' })

const isBeforeLogIn = (name: keyof typeof consoleRoutes) =>
  /\/(?:log-in|invitation)/.test(consoleRoutes[name].url)

/** The operators' API, typed by the contract. A call that asks who is there is made again once that is shown. */
export const api: Pick<typeof client, 'call'> = {
  call: async (name, options) => {
    try {
      return await client.call(name, options)
    } catch (error) {
      if (!(error instanceof ApiError) || !hooks) throw error
      if (error.status === 401 && !isBeforeLogIn(name as never)) hooks.onOver()
      if (error.problem.code !== 'ask-again') throw error
      if (!(await askOnce(hooks))) throw declined(error)
      return client.call(name, options)
    }
  },
}

type Endpoints = typeof endpoints
/** Names of calls of the operators' listener. */
export type CallName = Parameters<typeof api.call>[0]
export type ReplyOf<N extends CallName> = Awaited<ReturnType<typeof api.call<N>>>
export type OptionsOf<N extends CallName> = Parameters<typeof api.call<N>>[1]
export type { Endpoints }
