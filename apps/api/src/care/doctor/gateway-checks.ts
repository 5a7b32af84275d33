import { randomUUID } from 'node:crypto'
import { type Check, type Finding, ok, problem, warning } from '#care/doctor/check.ts'
import { createGateClient } from '#money/gateway/gate/gate-client.ts'

/** A `Date` header has whole seconds, and the call takes a while. */
const SKEW_MS = 5_000

/** How far this machine's clock is from another's, by its answer. */
export const skewOf = (response: Response, before: number, after: number): number | undefined => {
  const gatewayTime = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(gatewayTime)) return undefined
  return Math.max(0, before - (gatewayTime + 1000), gatewayTime - after)
}

/** Asks for a payment that was never made: a gateway that takes the signature has never heard of it. */
export const gatewayChecks: readonly Check[] = [
  {
    name: 'gateway',
    look: async ({ settings }, signal) => {
      const { host } = new URL(settings.gate.url)
      const before = Date.now()
      // What is not asked in the way of its API may be answered by nothing: only the clock is wanted.
      const response = await fetch(settings.gate.url, { method: 'HEAD', redirect: 'manual', signal }).catch(
        () => undefined,
      )
      const skew = response && skewOf(response, before, Date.now())
      const answer = await createGateClient(settings).status({ id: `doctor-${randomUUID()}`, ref: null })
      const found: Finding[] =
        answer.kind === 'unknown'
          ? [
              answer.isSilent
                ? problem(
                    `${host} answers no call of its API: ${answer.reason}`,
                    'See GATE_URL, and whether this machine may call out to it.',
                  )
                : problem(
                    `${host} refuses a signed call: ${answer.reason}`,
                    'GATE_PROJECT_ID and GATE_SECRET have to be those that the gateway gave you.',
                  ),
            ]
          : [ok(`${host} answers, and takes the signature`)]
      if (skew !== undefined && skew > SKEW_MS)
        found.push(
          warning(
            `its clock and this machine’s are ${Math.round(skew / 1000)} seconds apart`,
            'Have this machine keep time by NTP.',
          ),
        )
      return found
    },
  },
]
