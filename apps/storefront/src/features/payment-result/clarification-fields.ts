import type { CallOptions } from '@hedgerow/contract/client'
import type { Problem } from '@hedgerow/contract/endpoint'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { plainName } from '@hedgerow/domain/pasted'
import * as z from 'zod/mini'
import type { ClarificationField } from '#features/payment-result/next-action.ts'

export type ClarificationAnswers = CallOptions<'clarifyPayment'>['body']['answers']

const LONGEST = 255

/** The form's own names: those of the payment system are paths with full stops in them. */
export const nameOf = (position: number) => `field${position}`

export type Typed = Record<string, string | boolean>

const consent = z.boolean()
const text = z.string().check(z.overwrite(plainName), z.maxLength(LONGEST, OUR_MESSAGES.textLong(LONGEST)))

const schemaOf = ({ type, isRequired }: ClarificationField) => {
  if (type === 'consent') {
    return isRequired ? consent.check(z.refine((given) => given, OUR_MESSAGES.answerRequired)) : consent
  }
  return isRequired ? text.check(z.minLength(1, OUR_MESSAGES.answerRequired)) : text
}

export const schemaFor = (fields: readonly ClarificationField[]) =>
  z.object(
    Object.fromEntries(fields.map((field, position) => [nameOf(position), schemaOf(field)])),
  ) as unknown as { _zod: { input: Typed; output: Typed } }

/** By the payment system's names; what was left empty is left out. */
export const answersOf = (fields: readonly ClarificationField[], typed: Typed): ClarificationAnswers =>
  Object.fromEntries(
    fields.flatMap(({ name }, position): [string, string | true][] => {
      const value = typed[nameOf(position)]
      if (value === true) return [[name, true]]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )

/** The form as it was answered before, if it was. */
export const typedFrom = (fields: readonly ClarificationField[], answers: ClarificationAnswers): Typed =>
  Object.fromEntries(
    fields.map(({ name, type }, position) => [
      nameOf(position),
      answers[name] ?? (type === 'text' ? '' : false),
    ]),
  )

/** What was wrong with the last answers, as a problem names it. */
export const errorsIn = (fields: readonly ClarificationField[]) =>
  fields.flatMap(({ error }, position) => (error ? [{ path: nameOf(position), message: error }] : []))

/** What the server refused, by the form's own names. */
export const renamedErrors = (fields: readonly ClarificationField[], errors: Problem['errors'] = []) =>
  errors.map(({ path, message }) => ({
    path: nameOf(fields.findIndex(({ name }) => name === path)),
    message,
  }))
