import type { FastifyBaseLogger } from 'fastify'
import type { GateClient } from '#money/gateway/gate-client.ts'
import { type Meters, timed } from '#platform/instrumentation/meters.ts'

const outcomeOf = (answer: unknown): string => {
  if (typeof answer === 'object' && answer !== null && 'kind' in answer) return String(answer.kind)
  return answer === undefined ? 'unknown' : 'found'
}

/**
 * Times the calls of the gateway, and logs each at level debug, with the id of the call or job that it is for. Says
 * when it has answered.
 */
export const countedGate = (
  gate: GateClient,
  meters: Pick<Meters, 'calledGateway'>,
  log: FastifyBaseLogger,
  answered: () => void,
): GateClient => {
  const counted =
    <A extends unknown[], R>(call: keyof GateClient, ask: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> =>
      timed(
        () => ask(...given),
        (seconds, answer) => {
          const outcome = outcomeOf(answer)
          meters.calledGateway(call, seconds, outcome)
          if (outcome !== 'unknown') answered()
          log.debug({ call, outcome, ms: Math.round(seconds * 1000) }, 'asked the gateway')
        },
      )
  return {
    sale: counted('sale', gate.sale),
    challengeResult: counted('challengeResult', gate.challengeResult),
    methodDone: counted('methodDone', gate.methodDone),
    clarify: counted('clarify', gate.clarify),
    authorise: counted('authorise', gate.authorise),
    refund: counted('refund', gate.refund),
    banks: counted('banks', gate.banks),
    status: counted('status', gate.status),
  }
}
