import * as partners from '@hedgerow/contract/console/partners'
import { formatCharged } from '@hedgerow/domain/exchange'
import type { Command } from 'commander'
import type * as z from 'zod/mini'
import { findPartnerId } from '#desk/partners/partner-reports.ts'
import { partnersRoutes } from '#desk/partners/partners.routes.ts'
import { recordSubject } from '#desk/tool/acting.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { say, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { sayFields } from '#desk/tool/render.ts'
import type { Db } from '#platform/database/client.ts'

/** By promocode, email address or account id. */
const partnerIdOf = async (db: Db, name: string): Promise<string> => {
  const id = await findPartnerId({ db }, name)
  if (id === undefined) throw new Refusal(`There is no partner ${name}.`)
  recordSubject(id)
  return id
}

const sum = ({ minor, currency }: { minor: number; currency: string }) =>
  formatCharged(minor, currency as never)

const sayRings = (rings: readonly partners.RingView[]): void => {
  say('')
  if (rings.length === 0)
    say('No accounts that credit a partner have paid with the same card or from the same network.')
  const accounts = rings.flatMap((ring) => ring.accounts.map((account) => ({ ...ring, ...account })))
  if (rings.length > 0)
    sayTable(
      ['partner', 'tied by', 'account', 'payments', 'paid', 'earned', 'not counted'],
      accounts.flatMap(({ promocode, tie, name, customerId, isPartner, uncredited, sums }) =>
        sums.map(({ payments, paid, earned }) => [
          promocode,
          `${tie} ${name}`,
          isPartner ? 'the partner' : (customerId ?? 'a deleted account'),
          String(payments),
          sum(paid),
          sum(earned),
          String(uncredited),
        ]),
      ),
    )
}

type Shown = z.infer<(typeof partners.getConsolePartner.schema.response)[200]>
type Rings = z.infer<(typeof partners.listRings.schema.response)[200]>

export const addPartner = (program: Command): Command =>
  addCalls(program, {
    name: 'partner',
    summary: 'partners and their accounts',
    description: 'Partners who bring customers, and what they have earned.',
    contract: [partners],
    answer: partnersRoutes,
    finds: { partnerId: partnerIdOf },
    // Accounts within rings, and sums within accounts, are too deep for a table made of fields.
    prints: {
      'partner show': ({ rings, ...partner }: Shown) => {
        sayFields(partner)
        sayRings(rings)
      },
      'partner rings': ({ rings, hasMore }: Rings) => {
        sayRings(rings)
        if (hasMore) say('There are more. To see them, raise --limit.')
      },
    },
  })
