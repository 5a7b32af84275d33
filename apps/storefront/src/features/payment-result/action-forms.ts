import type { HiddenForm } from '#features/payment-result/hidden-form.ts'
import { webAddress } from '#features/payment-result/web-address.ts'

type Metadata = Record<string, unknown>

const isText = (value: unknown): value is string => typeof value === 'string'

const asFields = (value: unknown): HiddenForm['fields'] =>
  Object.entries(value ?? {}).flatMap(([name, one]): HiddenForm['fields'] =>
    ['string', 'number'].includes(typeof one) ? [[name, String(one)]] : [],
  )

/** The challenge of 3-D Secure. Undefined where something of it is missing. */
export const readChallenge = ({ acs_url, pa_req, md, term_url }: Metadata): HiddenForm | undefined => {
  const url = webAddress(acs_url)
  if (!url || !isText(pa_req) || !isText(md) || !isText(term_url)) return undefined
  const fields: HiddenForm['fields'] = [
    ['MD', md],
    ['PaReq', pa_req],
    ['TermUrl', term_url],
  ]
  return { action: url.href, method: 'POST', fields }
}

/** The form by which the issuer examines the browser, for a hidden frame. */
export const readDeviceCheck = ({ iframe }: Metadata): HiddenForm | undefined => {
  const { url: address, fields } = (iframe ?? {}) as Metadata
  const url = webAddress(address)
  return url && { action: url.href, method: 'POST', fields: asFields(fields) }
}

/** What leads to a page of a bank or of Blik. */
export const readRedirect = ({ url: address, method, body }: Metadata): HiddenForm | undefined => {
  const url = webAddress(address)
  if (!url) return undefined
  const isGet = isText(method) && method.toUpperCase() === 'GET'
  const fields = asFields(body)
  // A form that is fetched replaces the query of its address, so what stands there becomes fields.
  const own = new Set(fields.map(([name]) => name))
  const merged = isGet ? [...[...url.searchParams].filter(([name]) => !own.has(name)), ...fields] : fields
  return { action: url.href, method: isGet ? 'GET' : 'POST', fields: merged }
}
