import type { ClarificationField, NextAction } from '@hedgerow/domain/next-action'
import type { PaymentStatus } from '@hedgerow/domain/payment-status'
import * as z from 'zod/mini'
import { lenient, text } from '#money/gateway/gate/gate-fields.ts'

const Redirect = z.object({
  url: text,
  method: lenient(z.string()),
  body: lenient(z.record(z.string(), text)),
})

const Form = z.object({ url: text, params: z.record(z.string(), text) })

const Property = z.object({
  type: lenient(z.string()),
  title: lenient(z.string()),
  default: lenient(z.string()),
})

/** A JSON schema of what is wanted, or in the older form the bare names. */
const Wanted = z.union([
  z.array(z.string()),
  z.object({
    properties: lenient(z.record(z.string(), z.catch(Property, {}))),
    required: lenient(z.array(z.string())),
    errors: lenient(z.array(z.object({ property: lenient(z.string()), message: lenient(z.string()) }))),
  }),
])
type Wanted = z.infer<typeof Wanted>

const Display = z.object({ type: lenient(z.string()), title: lenient(z.string()), data: text })

/** What a message of the gateway can hold of what the customer has to do (gate.md §4–§6). */
export const NEXT_ACTION_FIELDS = {
  acs: lenient(z.object({ acs_url: text, pa_req: text, md: text })),
  threeds2: lenient(z.object({ iframe: lenient(Form), redirect: lenient(Form) })),
  redirect_data: lenient(Redirect),
  redirectData: lenient(Redirect),
  return_url: lenient(Redirect),
  clarification_fields: lenient(z.record(z.string(), z.catch(z.optional(Wanted), undefined))),
  display_data: lenient(z.array(Display)),
}

const NextActionSource = z.object(NEXT_ACTION_FIELDS)
export type NextActionSource = z.infer<typeof NextActionSource>

const WEB = new Set(['http:', 'https:'])
const isWebAddress = (url: string) => URL.canParse(url) && WEB.has(new URL(url).protocol)

const LABELS: ReadonlyMap<string, string> = new Map([
  ['avs_post_code', 'Postcode of the billing address'],
  ['avs_street_address', 'Street and number of the billing address'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['phone', 'Phone number'],
  ['email', 'Email'],
  ['address', 'Address'],
  ['city', 'City'],
  ['zip', 'Postcode'],
  ['country', 'Country, in two letters'],
  ['day_of_birth', 'Date of birth, such as 31-12-1990'],
])

const NAME = /^[\w.-]{1,49}$/

/** What the gateway names becomes a field of objects of ours: it may not be one that every object has from the start. */
const isName = (name: string) => NAME.test(name) && !(name in Object.prototype)

const labelOf = (name: string, title: string | undefined) => {
  const words = name.replaceAll('_', ' ')
  return LABELS.get(name) ?? title ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const asObject = (wanted: Wanted) =>
  Array.isArray(wanted) ? { properties: Object.fromEntries(wanted.map((name) => [name, {}])) } : wanted

const isConsentText = (name: string, property: z.infer<typeof Property>) =>
  name.endsWith('_text') && property.default !== undefined

/** The fields that one object of the clarification asks for. A flag that only carries a consent's text goes with it. */
const fieldsOf = (object: string, wanted: Wanted): ClarificationField[] => {
  const {
    properties: asked = {},
    required = Object.keys(asked),
    errors = [],
  } = asObject(wanted) as {
    properties?: Record<string, z.infer<typeof Property>>
    required?: string[]
    errors?: { property?: string; message?: string }[]
  }
  const properties = Object.entries(asked).filter(([name]) => isName(name))
  const flags = properties.filter(([, { type }]) => type === 'boolean')
  const consents = properties.filter(([name, property]) => isConsentText(name, property))
  const [firstConsent] = consents
  const common = (name: string, title: string | undefined) => {
    const error = errors.find(({ property }) => property === name)?.message
    return {
      name: `${object}.${name}`,
      label: labelOf(name, title),
      isRequired: required.includes(name),
      ...(error ? { error } : {}),
    }
  }
  return properties.flatMap(([name, property]): ClarificationField[] => {
    const field = common(name, property.title)
    if (property.type === 'boolean') {
      return firstConsent ? [] : [{ ...field, type: 'consent', says: { [field.name]: true } }]
    }
    if (!isConsentText(name, property)) return [{ ...field, type: 'text' }]
    const agreed =
      name === firstConsent?.[0] ? flags.map(([flag]) => [`${object}.${flag}`, true] as const) : []
    const says = Object.fromEntries([[field.name, property.default ?? ''] as const, ...agreed])
    // Needed as well when only the flag that it answers is.
    const isRequired =
      field.isRequired || (agreed.length > 0 && flags.some(([flag]) => required.includes(flag)))
    return [{ ...field, type: 'consent', text: property.default ?? '', isRequired, says }]
  })
}

const clarification = (asked: NonNullable<NextActionSource['clarification_fields']>): NextAction => ({
  kind: 'clarification',
  fields: Object.entries(asked).flatMap(([object, wanted]) =>
    wanted && isName(object) && !object.includes('.') ? fieldsOf(object, wanted) : [],
  ),
})

const redirect = (message: NextActionSource): NextAction | undefined => {
  const found = message.redirect_data ?? message.redirectData ?? message.return_url
  if (!found || !isWebAddress(found.url)) return undefined
  const method = found.method?.toUpperCase() === 'GET' ? 'GET' : 'POST'
  return { kind: 'redirect', url: found.url, method, body: found.body ?? {} }
}

const challenge = ({ acs, threeds2 }: NextActionSource): NextAction | undefined => {
  if (acs && isWebAddress(acs.acs_url)) {
    return { kind: 'challenge', acsUrl: acs.acs_url, paReq: acs.pa_req, md: acs.md }
  }
  const question = threeds2?.redirect
  if (question && isWebAddress(question.url)) {
    const { creq = '', threeDSSessionData: sessionData = '' } = question.params
    return { kind: 'challenge-2', url: question.url, creq, sessionData }
  }
  const method = threeds2?.iframe
  return method && isWebAddress(method.url)
    ? { kind: 'method', url: method.url, fields: method.params }
    : undefined
}

const action = ({ display_data = [] }: NextActionSource): NextAction => ({
  kind: 'action',
  display: display_data.map(({ type = '', title = '', data }) => ({ type, title, data })),
})

const nothing = () => undefined

const READERS: Readonly<Record<PaymentStatus, (message: NextActionSource) => NextAction | undefined>> = {
  'awaiting 3ds result': (message) => challenge(message) ?? redirect(message),
  'awaiting redirect result': redirect,
  'awaiting clarification': ({ clarification_fields }) =>
    clarification_fields && clarification(clarification_fields),
  'awaiting customer action': action,
  // What the gateway wants of us here, it says by the status alone (money/payments/updates/apply-update.ts).
  'awaiting merchant auth': nothing,
  Pending: nothing,
  processing: nothing,
  Success: nothing,
  Decline: nothing,
  Error: nothing,
}

/**
 * What the customer has to do in that status; nothing where what is given is not an address of the web. A message may
 * still hold what an earlier status asked for.
 */
export const readNextAction = (message: NextActionSource, status: PaymentStatus): NextAction | undefined =>
  READERS[status](message)
