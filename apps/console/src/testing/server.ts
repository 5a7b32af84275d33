import type * as endpoints from '@hedgerow/contract/console/endpoints'
import { consoleRoutes } from '@hedgerow/contract/console/routes'
import type { Problem } from '@hedgerow/contract/endpoint'
import { vi } from 'vitest'
import type { CallName } from '#lib/api.ts'

type Responses<N extends CallName> = (typeof endpoints)[N]['schema']['response']
type Body<N extends CallName> = Responses<N> extends { 200: { _zod: { output: infer O } } } ? O : never

type Call = { name: CallName; path: string; query: Record<string, string>; body: unknown }

const matches = (url: string, path: string) => new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`).test(path)

const nameOf = (method: string, path: string) =>
  (Object.keys(consoleRoutes) as CallName[]).find(
    (name) => consoleRoutes[name].method === method && matches(consoleRoutes[name].url, path),
  )

/** Stands in for `fetch` with answers that the contract allows. What has no answer is a lost connection. */
export const stubServer = () => {
  const calls: Call[] = []
  const answers = new Map<CallName, (call: Call) => Response | Promise<Response>>()
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const { pathname: path, searchParams } = new URL(input, 'http://here.invalid')
    const name = nameOf(init.method ?? 'GET', path)
    if (!name) throw new TypeError(`No such endpoint: ${path}`)
    const body: unknown = init.body ? JSON.parse(String(init.body)) : undefined
    const call = { name, path, query: Object.fromEntries(searchParams), body }
    calls.push(call)
    const answer = answers.get(name)
    if (!answer) throw new TypeError('Failed to fetch')
    return answer(call)
  })
  const problem = (status: number, detail: string, more: Partial<Problem>) =>
    Response.json({ title: 'Problem', status, detail, ...more }, { status })

  return {
    callsOf: (name: CallName) => calls.filter((call) => call.name === name),
    answers: <N extends CallName>(name: N, body: Body<N>) => answers.set(name, () => Response.json(body)),
    /** A list in two pages: the second is what comes after `next`. */
    answersInPages: <N extends CallName>(name: N, first: Body<N> & { next: string }, second: Body<N>) =>
      answers.set(name, ({ query }) => Response.json(query.after === first.next ? second : first)),
    refuses: (
      name: CallName,
      status: number,
      detail = 'Refused by the server',
      more: Partial<Problem> = {},
    ) => answers.set(name, () => problem(status, detail, more)),
    /** Answers nothing until what it gives back is called: then what there is to answer by that time. */
    hangs: (name: CallName) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      answers.set(name, async (call) => {
        await promise
        const answer = answers.get(name)
        return answer ? answer(call) : Promise.reject(new TypeError('Failed to fetch'))
      })
      return resolve
    },
  }
}
