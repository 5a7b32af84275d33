import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HOSTILE_JSON } from '@hedgerow/testing/cost/hostile'
import { hostileShapes } from '@hedgerow/testing/cost/hostile-bodies'
import { hostileByHead, hostileForms } from '@hedgerow/testing/cost/hostile-requests'
import type { HostileRequest } from '@hedgerow/testing/cost/judge'
import { CALLS } from '#calls.ts'
import { DEFAULT_SETTINGS } from '#settings.ts'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))
/** What the sandbox reads of a body (app.ts). */
const BODY_BYTES = 64 * 1024
const ROUTE = /app\.(get|post|put|delete)(?:<[^(]{1,200}>)?\(\s{0,9}'([^']{1,100})'/g

/** Every page and call that the sources name: a new one is among them by itself. */
const routesInSources = (): { method: string; url: string }[] =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.routes.ts'))
    .flatMap((name) => [...readFileSync(join(SOURCES, name), 'utf8').matchAll(ROUTE)])
    .map(([, method = '', url = '']) => ({ method: method.toUpperCase(), url }))
    .flatMap((route) =>
      route.url.startsWith('/faults')
        ? ['/gate', '/stripe', '/btcpay'].map((place) => ({ ...route, url: place + route.url }))
        : route,
    )

const FORM_FIELDS = [
  'PaReq',
  'threeDSMethodData',
  'creq',
  'pan',
  'session',
  'code',
  'line_items[0][quantity]',
] as const

const jsonTo = (path: string, sample: object): HostileRequest[] =>
  hostileShapes(sample, BODY_BYTES).map((one) => ({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    ...one,
  }))

const callsOf = (path: string): HostileRequest[][] => {
  const general = {
    payment_id: 'ord_7f3a',
    project_id: DEFAULT_SETTINGS.projectId,
    signature: `${'A'.repeat(86)}==`,
  }
  const within = (bytes: number) => bytes - JSON.stringify({ general }).length - 20
  const signed = HOSTILE_JSON.map(({ what, json }) => ({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    what: `signed in form, ${what}`,
    body: () => `{"general":${JSON.stringify(general)},"a":${json(within(BODY_BYTES))}}`,
  }))
  return [hostileByHead('POST', path), jsonTo(path, { general }), signed]
}

const keyFor = (path: string): Record<string, string> => {
  if (path.startsWith('/v1/')) return { authorization: `Bearer ${DEFAULT_SETTINGS.stripeKey}` }
  return path.startsWith('/api/v1/') ? { authorization: `token ${DEFAULT_SETTINGS.btcpayKey}` } : {}
}

const pageOf = ({ method, url }: { method: string; url: string }): HostileRequest[][] => {
  const path = url.replace(':store', DEFAULT_SETTINGS.btcpayStore).replace(/:\w+/g, 'ord_7f3a')
  const key = keyFor(path)
  if (method === 'GET' || method === 'DELETE') return [hostileByHead(method, path, key)]
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...key }
  return [
    hostileByHead(method, path, key),
    jsonTo(path, { answer: 'approve', code: '1' }).map((one) => ({
      ...one,
      method,
      headers: { ...one.headers, ...key },
    })),
    hostileForms(BODY_BYTES, FORM_FIELDS).map((one) => ({ method, path, headers, ...one })),
  ]
}

/** Everything hostile that can be sent to the sandbox, by kind. */
export const hostileToSandbox = (): HostileRequest[][] => [
  ...CALLS.flatMap(({ path }) => callsOf(`/v2${path}`)),
  ...routesInSources().flatMap(pageOf),
]
