import type { NextActionRule } from '#next-actions/next-action-rule.ts'
import type { Code } from '#payments/codes.ts'
import type { Clarification, FieldSchema, NextActionName } from '#payments/next-action.ts'

/** What a clarification asks for: one object of named values, all of them needed unless said otherwise. */
type Question = {
  object: string
  properties: Record<string, FieldSchema>
  required: string[]
  /** The code that an answer makes the sale end with; nothing when it is fine. */
  refusalFor(values: Record<string, unknown>): Code | undefined
}

/** A postcode that the issuer does not know. */
const UNKNOWN_POSTCODE = '00000'

const billingAddress: Question = {
  object: 'avs_data',
  properties: {
    avs_post_code: { type: 'string', title: 'Postcode', maxLength: 10 },
    avs_street_address: { type: 'string', title: 'Street address', maxLength: 255 },
  },
  required: ['avs_post_code', 'avs_street_address'],
  refusalFor: ({ avs_post_code }) => (avs_post_code === UNKNOWN_POSTCODE ? '109' : undefined),
}

/** What a customer agrees to who pays from a bank. */
export const CONSENT_TEXT =
  'I agree that Sandbox Open Banking starts this one payment from my account and shows its result to the shop. ' +
  'It sees nothing else of my account.'

const consent: Question = {
  object: 'customer',
  properties: {
    psu_consent: { type: 'boolean', title: 'I agree' },
    psu_consent_text: { type: 'string', title: 'Consent', default: CONSENT_TEXT, readOnly: true },
  },
  required: ['psu_consent'],
  refusalFor: ({ psu_consent }) => (psu_consent === false ? '20301' : undefined),
}

export const QUESTIONS: Partial<Record<NextActionName, Question>> = {
  'billing-address': billingAddress,
  consent,
}

/** The consent's field names are not published: the text, sent back unchanged, is a yes as well. */
const understood = (values: Record<string, unknown>): Record<string, unknown> => {
  const isEchoed = values.psu_consent === undefined && values.psu_consent_text === CONSENT_TEXT
  const agreed = isEchoed || values.psu_consent === 'true' || values.psu_consent === 1
  return agreed ? { ...values, psu_consent: true } : values
}

const fits = (value: unknown, { type, maxLength = 255 }: FieldSchema): boolean =>
  type === 'boolean'
    ? typeof value === 'boolean'
    : typeof value === 'string' && value.trim() !== '' && value.length <= maxLength

type Answer = { given: string[]; errors: Clarification['errors']; refusal: Code | undefined }

export const readAnswer = (question: Question, values: Record<string, unknown>): Answer => {
  const answered = understood(values)
  const named = question.required.filter((name) => answered[name] !== undefined)
  const schemaOf = (name: string) => question.properties[name] as FieldSchema
  const given = named.filter((name) => fits(answered[name], schemaOf(name)))
  const errors = named
    .filter((property) => !given.includes(property))
    .map((property) => ({ property, message: 'Invalid value', constraint: constraintOf(schemaOf(property)) }))
  return { given, errors, refusal: question.refusalFor(answered) }
}

const constraintOf = ({ type, maxLength }: FieldSchema): string =>
  type === 'boolean' ? 'boolean' : `string of 1 to ${maxLength} characters`

/** Asks for what is still missing. */
export const clarificationFor = (
  question: Question,
  given: readonly string[] = [],
  errors: Clarification['errors'] = [],
): Record<string, Clarification> => {
  const properties = Object.entries(question.properties).filter(([name]) => !given.includes(name))
  const required = question.required.filter((name) => !given.includes(name))
  return { [question.object]: { properties: Object.fromEntries(properties), required, errors } }
}

const ask = (question: Question, lateCode: Code): NextActionRule => ({
  status: 'awaiting clarification',
  lateCode,
  show: () => ({ clarification_fields: clarificationFor(question) }),
})

export const askBillingAddress = ask(billingAddress, '10602')
export const askConsent = ask(consent, '20602')
