import { formatMoney } from '@hedgerow/domain/money'
import type { BankFile, BankWord } from '#partners/payout-files/bank-words.ts'
import { listPayoutsBy, listPayoutsOf, type PayoutFacts } from '#partners/payout-files/payouts.queries.ts'
import { releaseWithdrawal } from '#partners/payout-files/payouts.service.ts'
import { type PayingDependencies, resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import type { With } from '#platform/dependencies.ts'

/** What is to be done, or was. 'known': done before. 'pending' and 'unclear': nothing yet. */
type Verdict = 'pay' | 'release' | 'known' | 'pending' | 'unclear' | 'unknown' | 'contradicts'

export type Answer = {
  verdict: Verdict
  word: BankWord
  reference: string
  /** Undefined of a reference that the shop never gave. */
  payout?: PayoutFacts
  /** Of a contradiction, for the operator. */
  why?: string
}

type Found = { word: BankWord; reference: string; payout?: PayoutFacts }

/** Each transfer that the file speaks of, with the payout that the shop knows of. */
const findEach = async ({ db }: With<'db'>, words: readonly BankWord[]): Promise<Found[]> => {
  const references = words.flatMap(({ about }) => ('reference' in about ? [about.reference] : []))
  const known = references.length > 0 ? await listPayoutsBy(db, references) : []
  const byReference = new Map(known.map((payout) => [payout.reference, payout]))
  const found: Found[] = []
  for (const word of words) {
    const { about } = word
    if ('reference' in about) {
      const payout = byReference.get(about.reference)
      found.push({ word, reference: about.reference, ...(payout ? { payout } : {}) })
      continue
    }
    const payouts = await listPayoutsOf(db, about.batch)
    if (payouts.length === 0) found.push({ word, reference: about.batch })
    found.push(...payouts.map((payout) => ({ word, reference: payout.reference, payout })))
  }
  return found
}

const disagreement = (word: BankWord, { amount_minor, currency }: PayoutFacts): string | undefined => {
  const ours = formatMoney(amount_minor, currency)
  if (word.currency !== undefined && word.currency !== currency)
    return `the bank says ${word.currency.slice(0, 10)}, and it is ${ours}`
  if (word.amountMinor !== undefined && word.amountMinor !== amount_minor)
    return `the bank says ${formatMoney(word.amountMinor, currency)}, and it is ${ours}`
  return undefined
}

const judge = (word: BankWord, payout: PayoutFacts): Pick<Answer, 'verdict' | 'why'> => {
  const { outcome } = word
  const { status, released_at } = payout
  const why = disagreement(word, payout)
  if (why) return { verdict: 'contradicts', why }
  if (outcome === 'pending' || outcome === 'unclear') return { verdict: outcome }
  if (outcome === 'rejected') {
    if (released_at) return { verdict: 'known' }
    if (status === 'requested') return { verdict: 'release' }
    return {
      verdict: 'contradicts',
      why: 'the bank did not pay it, or it came back, and it is recorded as paid',
    }
  }
  if (released_at)
    return {
      verdict: 'contradicts',
      why: `it was taken out of its batch and the bank paid it all the same; the withdrawal is now ${status}: see that it is not paid twice`,
    }
  if (status === 'requested') return { verdict: 'pay' }
  return status === 'paid'
    ? { verdict: 'known' }
    : { verdict: 'contradicts', why: 'the bank paid it, and the withdrawal was refused' }
}

/** A later word is the one that counts, but paid and not paid cannot both be true. */
const wordsByReference = (found: readonly Found[]): Map<string, Found[]> =>
  Map.groupBy(found, ({ reference }) => reference)

const isFinal = ({ word }: Found) => word.outcome === 'paid' || word.outcome === 'rejected'

/** What each transfer of a bank's file comes to, without doing anything. */
export const planAnswers = async (deps: With<'db'>, { words }: BankFile): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (const [reference, found] of wordsByReference(await findEach(deps, words))) {
    const finals = found.filter(isFinal)
    const last = finals.at(-1) ?? found.at(-1)
    if (!last) continue
    const { word, payout } = last
    if (!payout) answers.push({ verdict: 'unknown', word, reference })
    else if (new Set(finals.map((one) => one.word.outcome)).size > 1)
      answers.push({
        verdict: 'contradicts',
        word,
        reference,
        payout,
        why: 'the file says both that it was paid and that it was not, or came back',
      })
    else {
      const faulty = found.find((one) => disagreement(one.word, payout) !== undefined) ?? last
      answers.push({ word: faulty.word, reference, payout, ...judge(faulty.word, payout) })
    }
  }
  return answers
}

/**
 * Records what the bank has done about one transfer, unless that changed since the plan. The bank has paid already, so what
 * the partner owes does not stand in the way. False where it was done by then, or is otherwise.
 */
const applyAnswer = async (
  deps: PayingDependencies,
  { verdict, word, reference, payout }: Answer,
): Promise<boolean> => {
  if (!payout) return false
  if (verdict === 'pay') {
    const ending = { status: 'paid', reference: word.bankReference ?? null } as const
    const ended = await resolveWithdrawal(deps, payout.withdrawal_id, ending, { payoutReference: reference })
    return ended?.kind === 'recorded'
  }
  const because = word.code ? `bank ${word.code}` : 'bank'
  return (await releaseWithdrawal(deps, payout.withdrawal_id, because, reference)) === 'released'
}

/** Records what a file says. Each transfer in a transaction of its own: what a crash leaves is done by the same file again. */
export const importAnswers = async (
  deps: PayingDependencies,
  file: BankFile,
): Promise<{ answers: Answer[]; done: ReadonlySet<Answer> }> => {
  const answers = await planAnswers(deps, file)
  const done = new Set<Answer>()
  for (const answer of answers)
    if ((answer.verdict === 'pay' || answer.verdict === 'release') && (await applyAnswer(deps, answer)))
      done.add(answer)
  return { answers, done }
}
