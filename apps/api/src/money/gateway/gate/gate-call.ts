import { signatureOf } from '@hedgerow/gate/signature'
import { postJson } from '@hedgerow/io/post-json'
import type { Acceptance, OnSilence } from '#money/gateway/gateway.ts'
import type { Gate } from '#platform/settings.ts'

const TIMEOUT_MS = 10_000

const ID_KNOWN = '3041'
/** The gateway has never heard of the payment, or not yet (gate.md §11). */
export const ID_UNKNOWN = '3061'
const NOT_FOUND = new Set([ID_UNKNOWN, '3062'])

export const isUnknownPayment = (code: string): boolean => NOT_FOUND.has(code)

type Answer = {
  status?: string
  request_id?: string
  code?: string | number
  message?: string
  errors?: { code?: string | number }[]
}

/** Returns every code in an answer, its own first. */
export const codesIn = (body: unknown): string[] => {
  const { code, errors = [] } = (body ?? {}) as Answer
  return [code, ...errors.map((error) => error.code)].map(String)
}

export type GateCall = {
  /** Throws where there is no answer, or one that is not JSON. */
  post: (path: string, general: object, rest: object) => Promise<{ http: number; body: unknown }>
  /** Of a payment. Never throws. */
  accept: (path: string, general: object, rest: object) => Promise<Acceptance>
}

/** Signed calls of the gateway's API (gate.md §1). */
export const createGateCall = (gate: Gate, onSilence: OnSilence): GateCall => {
  const post: GateCall['post'] = async (path, general, rest) => {
    // Through JSON once, so that what is signed is what is sent.
    const body = JSON.parse(JSON.stringify({ general: { project_id: gate.projectId, ...general }, ...rest }))
    body.general.signature = signatureOf(body, gate.secret)
    const { status, text } = await postJson(`${gate.url}/v2/${path}`, JSON.stringify(body), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      onSilence(path, error)
      throw error
    })
    return { http: status, body: JSON.parse(text) }
  }
  return {
    post,
    accept: async (path, general, rest) => {
      try {
        const { http, body } = await post(`payment/${path}`, general, rest)
        const { status, request_id: requestId, code: gateCode, errors, message } = (body ?? {}) as Answer
        if (http === 200 && status === 'success') return { kind: 'accepted', requestId }
        const code = String(gateCode ?? errors?.[0]?.code ?? http)
        if (http >= 500 || code === ID_KNOWN || isUnknownPayment(code))
          return { kind: 'unknown', reason: code }
        return { kind: 'refused', code, message: String(message ?? '') }
      } catch (error) {
        return { kind: 'unknown', reason: (error as Error).name }
      }
    },
  }
}
