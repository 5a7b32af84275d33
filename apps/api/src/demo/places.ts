import { randomBytes } from 'node:crypto'
import { runningVersion } from '@hedgerow/settings/running-version'
import { generateKeyPair } from '@hedgerow/wireguard/keys'
import { sql } from 'kysely'
import { underRecord } from '#demo/staff.ts'
import type { DemoDependencies, World } from '#demo/world.ts'
import { enrolAgent } from '#network/agents/agents.service.ts'
import { addNode } from '#network/nodes/nodes.service.ts'

/** `connections`: how many there are at the place. */
export type DemoAgent = { name: string; secret: string; connections?: number }

const PLACES = [
  {
    name: 'London',
    timeZone: 'Europe/London',
    endpoint: '192.0.2.10:51820',
    ipv4: '10.80.0.0/19',
    ipv6: 'fd68:6564:10::/64',
  },
  {
    name: 'Frankfurt',
    timeZone: 'Europe/Berlin',
    endpoint: '192.0.2.20:51820',
    ipv4: '10.81.0.0/19',
    ipv6: 'fd68:6564:20::/64',
  },
  {
    name: 'Warsaw',
    timeZone: 'Europe/Warsaw',
    endpoint: '192.0.2.30:51820',
    ipv4: '10.82.0.0/19',
    ipv6: 'fd68:6564:30::/64',
  },
] as const

/**
 * Adds the three nodes as an operator does, and makes them someone's: agents that know their secret and no more (agents.ts).
 * Their addresses are kept for documentation (RFC 5737), so that nothing answers there. While the past is lived they are
 * taken to be up.
 */
export const addPlaces = async ({ deps, staff, nodes }: World): Promise<DemoAgent[]> => {
  const agents: DemoAgent[] = []
  for (const place of PLACES) {
    const { name, endpoint, ipv4, ipv6, timeZone } = place
    const given = { endpoint, ipv4, ipv6, timeZone }
    const said = { who: staff.servers, command: 'node add', subject: name, arguments: given }
    const added = await underRecord(deps, said, () => addNode(deps, place))
    if (typeof added === 'string') throw new Error(`the node ${name} was not added: ${added}`)
    const secret = randomBytes(32).toString('base64url')
    await enrolAgent(deps, { token: added.token, publicKey: generateKeyPair().publicKey, secret })
    agents.push({ name, secret })
  }
  await sql`update nodes set seen_at = 'infinity' where not is_demonstration`.execute(deps.db)
  for (const { id, name } of await deps.db.selectFrom('nodes').select(['id', 'name']).execute())
    nodes.set(name, id)
  return agents
}

/** They were heard a moment ago, have made all changes, and are of this version. */
export const finishPlaces = ({ db }: Pick<DemoDependencies, 'db'>) =>
  sql`update nodes set seen_at = now(), applied_revision = revision, agent_version = ${runningVersion().version}
    where not is_demonstration`.execute(db)
