import type { FastifyBaseLogger } from 'fastify'
import type { Gateway } from '#money/gateway/gateway.ts'
import { type Meters, timed } from '#platform/instrumentation/meters.ts'

const outcomeOf = (answer: unknown): string => {
  if (typeof answer === 'object' && answer !== null && 'kind' in answer) return String(answer.kind)
  return answer === undefined ? 'unknown' : 'found'
}

/**
 * Times the calls of the gateway, and logs each at level debug, with the id of the call or job that it is for. Says
 * when it has answered.
 */
export const countedGateway = (
  gateway: Gateway,
  meters: Pick<Meters, 'calledGateway'>,
  log: FastifyBaseLogger,
  answered: () => void,
): Gateway => {
  const counted =
    <A extends unknown[], R>(call: keyof Gateway, ask: (...given: A) => Promise<R>) =>
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
    sale: counted('sale', gateway.sale),
    challengeResult: counted('challengeResult', gateway.challengeResult),
    methodDone: counted('methodDone', gateway.methodDone),
    clarify: counted('clarify', gateway.clarify),
    authorise: counted('authorise', gateway.authorise),
    refund: counted('refund', gateway.refund),
    banks: counted('banks', gateway.banks),
    status: counted('status', gateway.status),
  }
}
