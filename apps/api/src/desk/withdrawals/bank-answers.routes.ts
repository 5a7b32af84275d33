import {
  type AnswersReply,
  importBankAnswers,
  previewBankAnswers,
} from '@hedgerow/contract/console/payout-batches'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { bytesOf, fileRefused } from '#desk/console/sent-file.ts'
import { type Answer, importAnswers, planAnswers } from '#partners/payout-files/bank-answers.ts'
import { BankFileFault } from '#partners/payout-files/bank-words.ts'
import { readBankFile } from '#partners/payout-files/read-bank-file.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField } from '#platform/http/problems.ts'

type AnswersFile = z.output<typeof importBankAnswers.schema.body>

const readAnswers = async ({ file, columns, decimal, areAllPaid }: AnswersFile) => {
  const bytes = bytesOf(file)
  try {
    return await readBankFile(bytes, {
      ...(columns ? { columns } : {}),
      decimal: decimal && (decimal === 'comma' ? ',' : '.'),
      areAllPaid,
    })
  } catch (error) {
    throw error instanceof BankFileFault ? invalidField('file', error.message) : fileRefused(error)
  }
}

const answerView = ({ verdict, word, reference, payout, why }: Answer, isDone: boolean) => ({
  at: word.at,
  reference,
  withdrawalId: payout?.withdrawal_id ?? null,
  sum: payout ? { minor: payout.amount_minor, currency: payout.currency } : null,
  verdict,
  why: why ?? word.code ?? null,
  isDone,
})

/** Whether an operator has to look into one of them. */
export const hasOddAnswer = ({ answers }: AnswersReply): boolean =>
  answers.some(({ verdict }) => ['contradicts', 'unknown', 'unclear'].includes(verdict))

/** What the bank says of the transfers in its files. */
export const bankAnswersRoutes = (app: FastifyInstance | LocalCalls, deps: With<'db' | 'settings'>): void => {
  implementForOperators(app, deps, previewBankAnswers, async ({ body }) => {
    const file = await readAnswers(body)
    const answers = await planAnswers(deps, file)
    return { answers: answers.map((answer) => answerView(answer, false)), others: file.others }
  })

  implementForOperators(app, deps, importBankAnswers, async ({ body }) => {
    const file = await readAnswers(body)
    const { answers, done } = await importAnswers(deps, file)
    return { answers: answers.map((answer) => answerView(answer, done.has(answer))), others: file.others }
  })
}
