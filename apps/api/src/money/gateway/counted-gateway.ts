import type { GatewayName } from '@hedgerow/domain/gateways'
import type { FastifyBaseLogger } from 'fastify'
import type { Gateway } from '#money/gateway/gateway.ts'
import { type Meters, timed } from '#platform/instrumentation/meters.ts'

const outcomeOf = (answer: unknown): string => {
  if (typeof answer === 'object' && answer !== null && 'kind' in answer) return String(answer.kind)
  return answer === undefined ? 'unknown' : 'found'
}

/**
 * Times the calls of a gateway, and logs each at level debug, with the id of the call or job that it is for. Says
 * when it has answered.
 */
export const countedGateway = <G extends Gateway>(
  name: GatewayName,
  gateway: G,
  meters: Pick<Meters, 'calledGateway'>,
  log: FastifyBaseLogger,
  answered: () => void,
): G => {
  const counted =
    <A extends unknown[], R>(call: string, ask: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> =>
      timed(
        () => ask(...given),
        (seconds, answer) => {
          const outcome = outcomeOf(answer)
          meters.calledGateway(name, call, seconds, outcome)
          if (outcome !== 'unknown') answered()
          log.debug({ gateway: name, call, outcome, ms: Math.round(seconds * 1000) }, 'asked the gateway')
        },
      )
  const calls = Object.entries<(...given: never[]) => Promise<unknown>>(gateway)
  return Object.fromEntries(calls.map(([call, ask]) => [call, counted(call, ask)])) as unknown as G
}
