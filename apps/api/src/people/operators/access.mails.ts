import { formatUkTime } from '@hedgerow/domain/dates'
import { isUuid } from '@hedgerow/domain/ids'
import { ACCESS_CHANGES } from '#people/operators/access-changes.ts'
import { findAction } from '#people/operators/operator-actions.queries.ts'
import { newestSeal } from '#people/operators/operator-record.ts'
import { findOperator } from '#people/operators/operators.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { operatorMail } from '#platform/mail/operator-letter.ts'

/** To the shop's operator: operators have no address of their own. With the newest seal of the record, to be kept elsewhere. */
export const mailAccessChanged = async (
  { db, mailer, settings }: With<'db' | 'mailer' | 'settings'>,
  actionId: string,
  key: string,
): Promise<void> => {
  const act = await findAction(db, actionId)
  const heading = act && ACCESS_CHANGES.get(act.command)
  if (!heading) return
  const about = act.subject && isUuid(act.subject) ? await findOperator(db, act.subject) : undefined
  const seal = await newestSeal(db)
  const letter = {
    heading,
    paragraphs: [
      `${act.who} did this on ${formatUkTime(act.at)}${about ? `. It concerns ${about.name}, whose role is ${about.role}` : ''}.`,
      'If you did not expect it, end that operator’s access and check the record for what else was done.',
    ],
    notes: seal
      ? [`The newest seal of the record is ${seal}. "hedgerow-ops audit verify --seal" compares with it.`]
      : [],
    page: { label: 'Open the operators', path: '/operators' },
    commands: [
      ['End an operator’s access', 'operator end NAME'],
      ['See the record', 'audit list'],
    ],
  } as const
  await mailer.send({ ...operatorMail(letter, settings), key })
}
