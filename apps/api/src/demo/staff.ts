import type { OperatorRole } from '@hedgerow/domain/operator-roles'
import { Secret, TOTP } from 'otpauth'
import type { Chance } from '#demo/chance.ts'
import { recordIntent } from '#people/operators/operator-actions.ts'
import { acceptInvitation, inviteOperator, openInvitation } from '#people/operators/operators.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'

export type Colleague = { id: string; name: string; role: OperatorRole }
export type Staff = Record<'manager' | 'finance' | 'servers' | 'viewer', Colleague> & { support: Colleague[] }

const PEOPLE = [
  ['Daniel Okafor', 'manager'],
  ['Aoife Brennan', 'support'],
  ['Tomasz Pawlak', 'support'],
  ['Priya Raman', 'finance'],
  ['Jonas Weber', 'servers'],
  ['Helen Marsh', 'viewer'],
] as const

/** It lets no one in: it is thrown away with the code's secret. */
const passwordOf = (chance: Chance) => `hornbeam ${chance.between(1e6, 9e6)} blackthorn`

/** They have all accepted, so that the console shows who works there. Who opens the printed link becomes the first owner. */
export const hireStaff = async (deps: Dependencies, chance: Chance): Promise<Staff> => {
  const hired: Colleague[] = []
  for (const [name, role] of PEOPLE) {
    const { id, link } = await inviteOperator(deps, { name, role })
    const token = link.slice(link.indexOf('#') + 1)
    const { app } = await openInvitation(deps, token)
    const code = new TOTP({ secret: Secret.fromBase32(app.secret) }).generate({ timestamp: Date.now() })
    await acceptInvitation(deps, token, { app: { password: passwordOf(chance), ticket: app.ticket, code } })
    hired.push({ id, name, role })
  }
  const [manager, aoife, tomasz, finance, servers, viewer] = hired as [
    ...[Colleague, Colleague, Colleague, Colleague, Colleague, Colleague],
  ]
  return { manager, support: [aoife, tomasz], finance, servers, viewer }
}

type Done = {
  who: Colleague
  command: string
  subject?: string
  arguments?: Record<string, string | boolean>
}

/** Does it under the record, as the console does. */
export const underRecord = async <T>(
  deps: Pick<Dependencies, 'db'>,
  { who, command, subject, arguments: given = {} }: Done,
  act: () => Promise<T>,
): Promise<T> => {
  const end = await recordIntent(deps, { who: `${who.name}@console`, command, subject, arguments: given })
  const answer = await act()
  await end('done')
  return answer
}
