import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { isSlow, outcomeOf, SLOW, testOutcomeOf, type ViesOutcome } from '#vies/vies-rules.ts'

type Question = Record<string, unknown>

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** VIES numbers its answers for callers who say who they are. */
const identifierFor = ({ requesterMemberStateCode, requesterNumber }: Question): string =>
  textOf(requesterMemberStateCode) && textOf(requesterNumber)
    ? `WAPI${randomBytes(8).toString('base64url').replaceAll(/[-_]/g, 'A')}`
    : ''

/** What a country does not disclose stands as dashes. */
const HIDDEN = '---'
const NOT_PROCESSED = 'NOT_PROCESSED'

const answerOf = (question: Question, valid: boolean) => ({
  countryCode: textOf(question.countryCode),
  vatNumber: textOf(question.vatNumber),
  requestDate: new Date().toISOString(),
  valid,
  requestIdentifier: identifierFor(question),
  name: valid ? 'Example GmbH' : HIDDEN,
  address: valid ? 'Musterstrasse 1\n10115 Berlin' : HIDDEN,
  traderName: HIDDEN,
  traderStreet: HIDDEN,
  traderPostalCode: HIDDEN,
  traderCity: HIDDEN,
  traderCompanyType: HIDDEN,
  traderNameMatch: NOT_PROCESSED,
  traderStreetMatch: NOT_PROCESSED,
  traderPostalCodeMatch: NOT_PROCESSED,
  traderCityMatch: NOT_PROCESSED,
  traderCompanyTypeMatch: NOT_PROCESSED,
})

const faultOf = (code: string) => ({ actionSucceed: false, errorWrappers: [{ error: code }] })

const NO_INPUT: ViesOutcome = { fault: 'INVALID_INPUT', status: 400 }

/** The European Commission's register of VAT numbers, as far as a shop asks it. */
export const viesRoutes = async (app: FastifyInstance) => {
  const ask = (path: string, outcomeFor: (vatNumber: string, question: Question) => ViesOutcome) =>
    app.post(path, async (request, reply) => {
      const question = (request.body ?? {}) as Question
      const { countryCode, vatNumber } = question
      if (isSlow(textOf(vatNumber))) await pause(SLOW.ms, undefined, { ref: false })
      const isAsked = /^[A-Z]{2}$/.test(textOf(countryCode)) && /^[0-9A-Z+*]{2,14}$/.test(textOf(vatNumber))
      const outcome = isAsked ? outcomeFor(textOf(vatNumber), question) : NO_INPUT
      return typeof outcome === 'string'
        ? answerOf(question, outcome === 'valid')
        : reply.code(outcome.status).send(faultOf(outcome.fault))
    })
  ask('/rest-api/check-vat-number', (vatNumber, question) => {
    const outcome = outcomeOf(vatNumber)
    // Nothing is wrong with a caller who does not say who they are.
    const isAnonymous = typeof outcome === 'object' && outcome.status === 400 && !question.requesterNumber
    return isAnonymous && outcome.fault === 'INVALID_REQUESTER_INFO' ? 'valid' : outcome
  })
  ask('/rest-api/check-vat-test-service', testOutcomeOf)
}
