import type { PaymentStatusReply } from '@hedgerow/contract/payments'

/** A form to be posted to (or fetched from) the issuer or a bank, with its fields in order. */
export type FormToSend = { action: string; method: 'GET' | 'POST'; fields: [name: string, value: string][] }

export type NextStep =
  | { kind: 'wait' }
  | { kind: 'send'; form: FormToSend }
  | { kind: 'success' }
  | { kind: 'reject' }

const WAIT: NextStep = { kind: 'wait' }

const readMetadata = (metadata: string): Record<string, unknown> => {
  try {
    const parsed: unknown = JSON.parse(metadata)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** The browser is sent to web addresses only: `javascript:` and the like would run here. */
const webAddress = (value: unknown): URL | undefined => {
  const url = typeof value === 'string' ? parseUrl(value) : undefined
  return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

const challenge = ({ acs_url, pa_req, md, term_url }: Record<string, unknown>): NextStep => {
  const url = webAddress(acs_url)
  if (!url || !isText(pa_req) || !isText(md) || !isText(term_url)) return WAIT
  const fields: FormToSend['fields'] = [
    ['MD', md],
    ['PaReq', pa_req],
    ['TermUrl', term_url],
  ]
  return { kind: 'send', form: { action: url.href, method: 'POST', fields } }
}

const redirect = ({ url: address, method, body }: Record<string, unknown>): NextStep => {
  const url = webAddress(address)
  if (!url) return WAIT
  const isGet = isText(method) && method.toUpperCase() === 'GET'
  const fields = Object.entries(body ?? {}).flatMap(([name, value]): FormToSend['fields'] =>
    ['string', 'number'].includes(typeof value) ? [[name, String(value)]] : [],
  )
  // A form that is fetched replaces the query of its address, so what stands there becomes fields.
  const own = new Set(fields.map(([name]) => name))
  const merged = isGet ? [...[...url.searchParams].filter(([name]) => !own.has(name)), ...fields] : fields
  return { kind: 'send', form: { action: url.href, method: isGet ? 'GET' : 'POST', fields: merged } }
}

/** What the page does about a status (spec §4). */
export const nextStep = ({ status, metadata }: PaymentStatusReply): NextStep => {
  switch (status) {
    case 'awaiting 3ds result':
      return challenge(readMetadata(metadata))
    case 'awaiting redirect result':
      return redirect(readMetadata(metadata))
    case 'Success':
      return { kind: 'success' }
    case 'Decline':
    case 'Error':
      return { kind: 'reject' }
    default:
      return WAIT
  }
}
