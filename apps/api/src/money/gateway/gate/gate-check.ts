import { randomUUID } from 'node:crypto'
import type { Adapter } from '#money/gateway/adapter.ts'
import { createGateClient } from '#money/gateway/gate/gate-client.ts'
import { type Finding, ok, problem, skewOf, warning } from '#platform/doctor/finding.ts'

/** A `Date` header has whole seconds, and the call takes a while. */
const SKEW_MS = 5_000

/** Asks for a payment that was never made: a gateway that takes the signature has never heard of it. */
export const gateCheck: Adapter['check'] = {
  name: 'gateway',
  look: async ({ gate, publicUrl }, signal) => {
    if (!gate) return [ok('the Gate is not set: another gateway carries payments')]
    const { host } = new URL(gate.url)
    const before = Date.now()
    // What is not asked in the way of its API may be answered by nothing: only the clock is wanted.
    const response = await fetch(gate.url, { method: 'HEAD', redirect: 'manual', signal }).catch(
      () => undefined,
    )
    const skew = response && skewOf(response, before, Date.now())
    const answer = await createGateClient({ gate, publicUrl }).status({
      id: `doctor-${randomUUID()}`,
      ref: null,
    })
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
}
