import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import { counted } from '@hedgerow/domain/order-description'
import type { Command } from 'commander'
import { ask } from '#desk/tool/ask.ts'
import { changes } from '#desk/tool/classes.ts'
import { withCsvFaults } from '#desk/tool/csv-faults.ts'
import { DECIMAL_OPTION, type DecimalWord, decimalOf, JSON_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { readNamedFile } from '#desk/tool/read-file.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { type Answer, applyAnswer, planAnswers, type Verdict } from '#partners/payout-files/bank-answers.ts'
import { type BankFile, BankFileFault } from '#partners/payout-files/bank-words.ts'
import type { CsvOptions } from '#partners/payout-files/read-bank-csv.ts'
import { readBankFile } from '#partners/payout-files/read-bank-file.ts'
import type { Db } from '#platform/database/client.ts'

type Options = { columns?: string; decimal?: DecimalWord; allPaid?: true; yes?: true; json?: true }

const readFile = async (file: string, { columns, decimal, allPaid }: Options): Promise<BankFile> => {
  const bytes = await readNamedFile(file)
  const options = {
    ...(columns === undefined ? {} : { columns }),
    decimal: decimalOf(decimal),
    areAllPaid: allPaid ?? false,
  } satisfies CsvOptions
  try {
    return await withCsvFaults(() => readBankFile(bytes, options), 'Nothing was done.')
  } catch (error) {
    throw error instanceof BankFileFault ? new Refusal(error.message) : error
  }
}

const MEANS: Readonly<Record<Verdict, string>> = {
  pay: 'paid: to be recorded',
  release: 'not paid: to be taken out of its batch',
  known: 'recorded before',
  pending: 'not ended yet: left as it is',
  unclear: 'the bank does not say whether it is paid: left as it is',
  unknown: 'no reference of this shop’s: left alone',
  contradicts: 'CONTRADICTS',
}

const sumOf = ({ payout }: Answer) => (payout ? formatMoney(payout.amount_minor, payout.currency) : '')

const meaningOf = ({ verdict, why, word }: Answer): string =>
  `${MEANS[verdict]}${why ? `: ${why}` : ''}${verdict === 'release' && word.code ? ` (${word.code})` : ''}`

const present = (answer: Answer, isDone: boolean) => ({
  reference: answer.reference,
  withdrawal: answer.payout?.withdrawal_id ?? null,
  amount: answer.payout ? formatMinor(answer.payout.amount_minor) : null,
  currency: answer.payout?.currency ?? null,
  at: answer.word.at,
  verdict: answer.verdict,
  isDone,
  why: answer.why ?? null,
  code: answer.word.code ?? null,
})

const isToDo = ({ verdict }: Answer) => verdict === 'pay' || verdict === 'release'
/** What a person has to look into. */
const isOdd = ({ verdict }: Answer) => ['contradicts', 'unknown', 'unclear'].includes(verdict)

const countOf = (answers: readonly Answer[], verdict: Verdict) =>
  answers.filter((answer) => answer.verdict === verdict).length

const sayPlan = (answers: readonly Answer[], others: number): void => {
  if (answers.length > 0)
    sayTable(
      ['at', 'reference', 'partner', 'amount', 'the bank says'],
      answers.map((answer) => [
        answer.word.at,
        answer.reference,
        answer.payout ? (answer.payout.email ?? '(account deleted)') : '',
        sumOf(answer),
        meaningOf(answer),
      ]),
    )
  else say('The file tells of no payout of this shop.')
  if (others > 0) say(`About something else: ${counted(others, 'row')}.`)
}

const question = (answers: readonly Answer[]): string =>
  `Record ${countOf(answers, 'pay')} as paid, each partner gets a mail, and take ${countOf(answers, 'release')} out of their batches? What is paid cannot be undone.`

const bringIn = async (db: Db, file: string, options: Options) => {
  const { yes, json } = options
  const { others, words } = await readFile(file, options)
  const answers = await planAnswers({ db }, { words, others })
  if (!json) sayPlan(answers, others)
  const toDo = answers.filter(isToDo)
  if (toDo.length > 0) await ask(question(answers), yes)
  const done = new Set<Answer>()
  // Each in a transaction of its own: what a crash leaves is done by the same file again.
  for (const answer of toDo) if (await applyAnswer({ db }, answer)) done.add(answer)
  const paid = toDo.filter((answer) => answer.verdict === 'pay' && done.has(answer))
  const released = toDo.filter((answer) => answer.verdict === 'release' && done.has(answer))
  const odd = answers.filter(isOdd)
  if (json)
    sayJson({
      paid: paid.length,
      released: released.length,
      others,
      payouts: answers.map((answer) => present(answer, done.has(answer))),
    })
  else if (toDo.length === 0) say('Nothing was done: nothing is new.')
  else sayDone(paid, released, toDo.length - done.size)
  if (odd.length > 0)
    throw new Refusal(
      `${odd.length} of the file’s rows could not be used: ${odd
        .map(({ reference }) => reference)
        .slice(0, 10)
        .join(', ')}${odd.length > 10 ? ', …' : ''}. Look into each by hand.`,
    )
}

const sayDone = (paid: readonly Answer[], released: readonly Answer[], changed: number): void => {
  say(`${paid.length} recorded as paid, ${released.length} taken out of their batches.`)
  const owing = paid.filter(({ payout }) => (payout?.owing_minor ?? 0) > 0)
  if (owing.length > 0)
    say(
      `Their partners owe money back because of refunds: ${owing.map(({ payout }) => payout?.email).join(', ')}.`,
    )
  if (released.length > 0)
    say(
      'What the bank did not pay: look at the account with withdrawal show; export it anew, or refuse it, so that the partner corrects it.',
    )
  if (changed > 0) say(`${changed} changed meanwhile. Import the same file again.`)
}

export const addPayoutImport = (withdrawal: Command): void => {
  changes(withdrawal.command('import'))
    .description(
      'Record what your bank has paid, and what not, by its file: a list (CSV) with titles, pain.002, camt.053 or camt.054. The same file again does nothing.',
    )
    .argument('<file>', 'the bank’s file')
    .option(
      '--columns <columns>',
      'of a list, where the bank calls them otherwise: reference=Title,amount=Title,currency=,status=,bank_reference=',
    )
    .addOption(DECIMAL_OPTION)
    .option('--all-paid', 'of a list without statuses: each of our rows was paid')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action((file: string, options: Options) => withDatabase((db) => bringIn(db, file, options)))
}
