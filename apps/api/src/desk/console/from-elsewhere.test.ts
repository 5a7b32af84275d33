import { request } from 'node:http'
import * as endpoints from '@hedgerow/contract/console/endpoints'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, headersOf, type TestOperator } from '#testing/console.ts'

const { shop, consoleUrl } = await consoleOfFile()

/** Returns the status. By hand: `fetch` says of itself how it calls, whatever it is told. */
const statusOf = (operator: TestOperator, method: string, path: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((done, failed) => {
    const own = { ...headersOf(operator), ...headers }
    request(new URL(path, consoleUrl), { method, headers: own }, (response) => {
      done(response.statusCode)
      response.destroy()
    })
      .on('error', failed)
      .end()
  })

type Call = { method: string; url: string; access: string; isDownload?: boolean }

const CALLS = Object.entries(endpoints).flatMap(([name, value]) =>
  typeof value === 'object' && 'url' in value ? [[name, value as Call] as const] : [],
)

const pathOf = ({ url }: Call) => url.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')

describe('a call of the console', () => {
  test.each(CALLS)(
    '%s is refused when a page elsewhere makes it in an operator’s browser',
    async (_, call) => {
      const owner = await anOperator(shop.db)
      for (const [site, mode] of [
        ['cross-site', 'cors'],
        ['cross-site', 'no-cors'],
        ['cross-site', 'navigate'],
        // The shop's own pages are a neighbour.
        ['same-site', 'cors'],
      ] as const)
        expect(
          await statusOf(owner, call.method, pathOf(call), {
            'sec-fetch-site': site,
            'sec-fetch-mode': mode,
          }),
        ).toBe(403)
    },
  )

  // What anyone may read says nothing of an operator.
  test.each(CALLS.filter(([, { method, access }]) => method === 'GET' && access !== 'anyone'))(
    '%s is no link, picture or frame, unless it is a file',
    async (_, call) => {
      const owner = await anOperator(shop.db)
      for (const mode of ['navigate', 'no-cors'])
        for (const site of ['same-origin', 'none']) {
          const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode }
          const status = await statusOf(owner, 'GET', pathOf(call), headers)
          expect(status === 403).toBe(!call.isDownload)
        }
    },
  )
})
