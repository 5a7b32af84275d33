import type { PdfReply, Problem } from '@hedgerow/contract/endpoint'
import type * as endpoints from '@hedgerow/contract/endpoints'
import { type RouteName, routes } from '@hedgerow/contract/routes'
import { DEFAULT_PRICES } from '@hedgerow/domain/pricing'
import { vi } from 'vitest'

type Responses<N extends RouteName> = (typeof endpoints)[N]['schema']['response']
type Body<N extends RouteName, S extends keyof Responses<N>> = Responses<N>[S] extends {
  _zod: { output: infer O }
}
  ? O
  : Responses<N>[S] extends PdfReply
    ? Blob
    : never

type Call = { name: RouteName; path: string; query: string; body: unknown; authorization: string | null }

const matches = (url: string, path: string) =>
  new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`).test(path) &&
  !(url.includes(':') && path.endsWith('/resend'))

const routeNameOf = (method: string, path: string) =>
  (Object.keys(routes) as RouteName[]).find(
    (name) => routes[name].method === method && matches(routes[name].url, path),
  )

/** Stands in for `fetch` with answers that the contract allows. What has no answer is a lost connection. */
export const stubServer = () => {
  const calls: Call[] = []
  const reply = (status: number, body: unknown) => () =>
    body instanceof Blob ? new Response(body, { status }) : Response.json(body, { status })

  // Every checkout calls it first.
  const methods: Body<'paymentMethods', 200> = {
    card: { hosted: false },
    openBanking: { currencies: ['EUR', 'GBP'] },
    blik: { rates: [] },
  }
  // As does every page that sells: one place, so that nothing is asked.
  const locations: Body<'listOpenLocations', 200> = [
    { _id: '00000000-0000-4000-8000-0000000000aa', name: 'London', hasRoom: true },
  ]
  const prices: Body<'getPrices', 200> = {
    day: DEFAULT_PRICES.dayMinor,
    connection: DEFAULT_PRICES.extraConnectionMinor,
    features: { feature1: 5, feature2: 3, feature3: 2, feature4: 1 },
  }
  const bareSecurity: Body<'getSecurity', 200> = {
    secondStepAt: null,
    secondStepEndsAt: null,
    totpAt: null,
    passkeys: [],
    recoveryCodes: 0,
  }
  const answers = new Map<RouteName, (query: URLSearchParams) => Response | Promise<Response>>([
    ['paymentMethods', reply(200, methods)],
    ['listOpenLocations', reply(200, locations)],
    ['getPrices', reply(200, prices)],
    // As do the pages on which one writes to us.
    ['listConversations', reply(200, [])],
    // And those of the account.
    ['getSecurity', reply(200, bareSecurity)],
  ])

  const answerOf = (name: RouteName, query: URLSearchParams) => {
    const answer = answers.get(name)
    if (!answer) throw new TypeError('Failed to fetch')
    return answer(query)
  }

  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const { pathname: path, searchParams } = new URL(input, 'http://here.invalid')
    const name = routeNameOf(init.method ?? 'GET', path)
    if (!name) throw new TypeError(`No such endpoint: ${path}`)
    const headers = new Headers(init.headers)
    calls.push({
      name,
      path,
      query: searchParams.toString(),
      body: init.body ? JSON.parse(String(init.body)) : undefined,
      authorization: headers.get('authorization'),
    })
    return answerOf(name, searchParams)
  })

  return {
    calls,
    callsOf: (name: RouteName) => calls.filter((call) => call.name === name),
    answers: <N extends RouteName, S extends keyof Responses<N> & number>(
      name: N,
      status: S,
      body: Body<N, S>,
    ) => answers.set(name, reply(status, body)),
    /** Answers a list so many at once: `after` is how many came before. */
    answersInPages: <N extends 'listConnections' | 'listOrders' | 'paymentHistory'>(
      name: N,
      rows: Body<N, 200> & readonly unknown[],
      atOnce: number,
    ) =>
      answers.set(name, (query) => {
        const from = Number(query.get('after') ?? 0)
        const next = from + atOnce
        const link = `<${routes[name].url}?after=${next}>; rel="next"`
        return Response.json(rows.slice(from, next), next < rows.length ? { headers: { link } } : {})
      }),
    refuses: (name: RouteName, status: number, detail = 'Told by the server', more: Partial<Problem> = {}) =>
      answers.set(name, reply(status, { title: 'Problem', status, detail, ...more })),
    breaks: (name: RouteName) => answers.delete(name),
    /** Answers with what is no JSON. */
    garbles: (name: RouteName, status: number) =>
      answers.set(name, () => new Response('<html>Bad gateway', { status })),
    /** As a call that its page has given up. */
    outlasts: (name: RouteName) =>
      answers.set(name, () => {
        throw new DOMException('The operation timed out', 'TimeoutError')
      }),
    /** Answers nothing until what it gives back is called: then what there is to answer by that time. */
    hangs: (name: RouteName) => {
      const release = Promise.withResolvers<void>()
      answers.set(name, (query) => release.promise.then(() => answerOf(name, query)))
      return async () => {
        release.resolve()
        // The page has read the answer by then.
        await new Promise((over) => setTimeout(over))
      }
    },
  }
}
