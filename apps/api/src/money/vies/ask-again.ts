import { readVatNumber } from '@hedgerow/domain/vat-numbers'
import {
  listUnconfirmed,
  noteAsked,
  noteLateAnswer,
  type Unconfirmed,
} from '#money/vies/unconfirmed.queries.ts'
import type { Vies, ViesAnswer } from '#money/vies/vies-client.ts'
import type { With } from '#platform/dependencies.ts'
import { correctWithin, type RightFacts } from '#sales/invoices/correct-invoice.ts'

type Deps = With<'db' | 'settings' | 'log'> & { vies: Vies }

/** In one run: each question may take seconds, and what is left comes with the next one. */
const AT_ONCE = 60

/** What a late answer makes of the sale: its tax changes only where the number was taken for the opposite. */
const rightFacts = (
  { vat_number, vat_number_standing: was }: Unconfirmed,
  answer: ViesAnswer,
): RightFacts | undefined => {
  if (answer.kind === 'valid' && was === 'unanswered')
    return { vatNumber: { number: vat_number, standing: 'valid', consultation: answer.consultation } }
  return answer.kind === 'invalid' && was === 'unchecked' ? { vatNumber: null } : undefined
}

const askOne = async ({ db, settings, vies, log }: Deps, sale: Unconfirmed): Promise<void> => {
  const read = readVatNumber(sale.vat_number, sale.vat_country)
  const answer = 'fault' in read ? ({ kind: 'invalid' } as const) : await vies.ask(read)
  if (answer.kind === 'unanswered' || answer.kind === 'unchecked') return noteAsked(db, sale.id)
  const right = rightFacts(sale, answer)
  await db.transaction().execute(async (trx) => {
    if (!(await noteLateAnswer(trx, sale.id, answer)) || !right) return
    const outcome = await correctWithin(trx, settings, sale.id, right)
    log.info({ paymentId: sale.id, outcome }, 'VIES has answered late about a VAT number')
  })
}

/**
 * Asks VIES again about the numbers that it gave no answer to at the sale, and those taken while it was not asked. A valid one
 * takes the VAT off (Implementing Regulation 282/2011 art. 18(1)), an invalid one makes it due: the invoice is corrected.
 */
export const askAgain = async (deps: Deps): Promise<void> => {
  if (!deps.settings.viesUrl) return
  for (const sale of await listUnconfirmed(deps.db, AT_ONCE)) await askOne(deps, sale)
}
