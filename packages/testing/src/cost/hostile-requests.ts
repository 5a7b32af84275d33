import { HOSTILE_TEXTS } from './hostile.ts'
import type { HostileBody } from './hostile-bodies.ts'
import type { HostileRequest } from './judge.ts'

/** What Node.js reads of a request's head; more is answered with 431. */
const HEAD_BYTES = 14_000

const encoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

const joined = (item: (at: number) => string, by: string, length: number): string => {
  const items: string[] = []
  for (let used = 0; used < length; used += (items.at(-1)?.length ?? 0) + by.length)
    items.push(item(items.length))
  return items.slice(0, -1).join(by)
}

/** Addresses that are long, deep or badly written, below one that is there. */
const hostileAddresses = (path: string): { what: string; path: string }[] => [
  { what: 'a long query', path: `${path}?${'a'.repeat(HEAD_BYTES)}` },
  { what: 'many fields in the query', path: `${path}?${joined((at) => `k${at}=1`, '&', HEAD_BYTES)}` },
  { what: 'one field of the query again and again', path: `${path}?${joined(() => 'a=1', '&', HEAD_BYTES)}` },
  { what: 'nothing but & in the query', path: `${path}?${'&'.repeat(HEAD_BYTES)}` },
  { what: 'brackets in the query', path: `${path}?a${'[b]'.repeat(HEAD_BYTES / 3)}=1` },
  { what: 'escapes in the query', path: `${path}?a=${encoded('é'.repeat(HEAD_BYTES / 6))}` },
  { what: 'broken escapes in the query', path: `${path}?a=${'%'.repeat(HEAD_BYTES)}` },
  { what: 'plus signs in the query', path: `${path}?a=${'+'.repeat(HEAD_BYTES)}` },
  { what: 'a question mark again and again', path: `${path}${'?'.repeat(HEAD_BYTES)}` },
  { what: 'many slashes', path: `${path}${'/'.repeat(HEAD_BYTES)}` },
  { what: 'many folders', path: `${path}${'/a'.repeat(HEAD_BYTES / 2)}` },
  { what: 'a climb', path: `${path}${'/..'.repeat(HEAD_BYTES / 3)}` },
  { what: 'a climb in escapes', path: `${path}${'%2f%2e%2e'.repeat(HEAD_BYTES / 9)}` },
  { what: 'escapes of escapes', path: `${path}/${'%25'.repeat(HEAD_BYTES / 3)}` },
  { what: 'broken escapes', path: `${path}/${'%'.repeat(HEAD_BYTES)}` },
  { what: 'bytes that are no text', path: `${path}/${'%ff'.repeat(HEAD_BYTES / 3)}` },
  { what: 'nothing but zeros', path: `${path}/${'%00'.repeat(HEAD_BYTES / 3)}` },
]

const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-none-match',
  'range',
] as const

const hostileHeads = (): { what: string; headers: Record<string, string> }[] => [
  { what: 'many cookies', headers: { cookie: joined((at) => `c${at}=1`, '; ', HEAD_BYTES) } },
  { what: 'one cookie again and again', headers: { cookie: joined(() => 'XSRF-TOKEN=a', '; ', HEAD_BYTES) } },
  { what: 'a long cookie', headers: { cookie: `XSRF-TOKEN=${'a'.repeat(HEAD_BYTES)}` } },
  { what: 'escapes in a cookie', headers: { cookie: `XSRF-TOKEN=${'%41'.repeat(HEAD_BYTES / 3)}` } },
  { what: 'nothing but ; in a cookie', headers: { cookie: ';'.repeat(HEAD_BYTES) } },
  { what: 'quotes in a cookie', headers: { cookie: `a="${'"='.repeat(HEAD_BYTES / 2)}` } },
  {
    what: 'many headers',
    headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x-${at}`, '1'])),
  },
  { what: 'a long token', headers: { authorization: `Bearer ${'a'.repeat(HEAD_BYTES)}` } },
  { what: 'a token of blanks', headers: { authorization: `Bearer${' '.repeat(HEAD_BYTES)}x` } },
  { what: 'a long id of the request', headers: { 'x-request-id': '1-'.repeat(HEAD_BYTES / 2) } },
  { what: 'many proxies', headers: { 'x-forwarded-for': joined(() => '1.1.1.1', ', ', HEAD_BYTES) } },
  { what: 'many ranges', headers: { range: `bytes=${joined((at) => `${at}-`, ',', HEAD_BYTES)}` } },
  { what: 'a long host', headers: { host: 'a.'.repeat(HEAD_BYTES / 2) } },
  ...HEADERS.map((name) => ({
    what: `a ${name} of commas`,
    headers: { [name]: 'a,'.repeat(HEAD_BYTES / 2) },
  })),
  ...HEADERS.map((name) => ({
    what: `a ${name} of blanks`,
    headers: { [name]: `a${' '.repeat(HEAD_BYTES)};q` },
  })),
]

/** Requests that are hostile by all but their body, to an address that is there. */
export const hostileByHead = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
): HostileRequest[] => [
  ...hostileAddresses(path).map((address) => ({ method, headers, ...address })),
  ...hostileHeads().map((head) => ({
    method,
    path,
    what: head.what,
    headers: { ...headers, ...head.headers },
  })),
]

/** Forms as browsers send them, of about that many bytes; `fields` are names that the receiver looks for. */
export const hostileForms = (bytes: number, fields: readonly string[]): HostileBody[] => [
  { what: 'many fields', body: () => joined((at) => `k${at}=1`, '&', bytes) },
  { what: 'one field again and again', body: () => joined(() => `${fields[0] ?? 'a'}=1`, '&', bytes) },
  { what: 'nothing but &', body: () => '&'.repeat(bytes) },
  { what: 'broken escapes', body: () => `${fields[0] ?? 'a'}=${'%'.repeat(bytes - 20)}` },
  { what: 'brackets', body: () => `a${'[b]'.repeat(bytes / 3 - 2)}=1` },
  ...fields.flatMap((field) =>
    HOSTILE_TEXTS.map(({ what, text }) => ({
      what: `${field} of ${what}`,
      body: () => new URLSearchParams({ [field]: text(bytes / 3).toWellFormed() }).toString().slice(0, bytes),
    })),
  ),
]
