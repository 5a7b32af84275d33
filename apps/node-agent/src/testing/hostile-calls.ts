import { HOSTILE_JSON } from '@hedgerow/testing/cost/hostile'
import { hostileByHead } from '@hedgerow/testing/cost/hostile-requests'
import type { HostileRequest } from '@hedgerow/testing/cost/judge'
import type { MeasuredProgram } from '@hedgerow/testing/cost/measured-program'

const BODY_BYTES = 64 * 1024

const withBodies = (path: string): HostileRequest[] =>
  HOSTILE_JSON.map(({ what, json }) => ({ method: 'POST', path, what, body: () => json(BODY_BYTES) }))

/** Everything hostile that can be sent to the servers of an agent (servers-program.ts), by server and kind. */
export const hostileToAgent = ({
  ready,
}: Pick<MeasuredProgram, 'ready'>): { base: string; kinds: HostileRequest[][] }[] => [
  { base: String(ready.page), kinds: [hostileByHead('GET', '/'), withBodies('/')] },
  { base: String(ready.health), kinds: [hostileByHead('GET', '/metrics'), withBodies('/metrics')] },
  { base: String(ready.health), kinds: [hostileByHead('GET', '/healthz'), withBodies('/healthz')] },
]
