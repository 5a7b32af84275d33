import { SECOND_PERSON_HOURS } from '@hedgerow/domain/second-person'
import { findOperator } from '#people/operators/operators.queries.ts'
import { findAsked } from '#people/operators/second-person.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { operatorMail } from '#platform/mail/operator-letter.ts'

/** To the operators, of what waits still. */
export const mailSecondPerson = async (
  { db, mailer, settings }: With<'db' | 'mailer' | 'settings'>,
  id: string,
  key: string,
): Promise<void> => {
  const asked = await findAsked(db, id)
  if (!asked || asked.ended_at) return
  const asker = await findOperator(db, asked.operator_id)
  const letter = {
    heading: `${asker?.name} asks for a second person: ${asked.command}`,
    paragraphs: [
      ...Object.entries(asked.facts).map(([name, value]) => `${name}: ${value}`),
      `Another operator has to confirm it within ${SECOND_PERSON_HOURS.expires} hours. If nobody else could, ${asker?.name} may do so alone after ${SECOND_PERSON_HOURS.alone} hours.`,
      'If you know nothing about it, withdraw it there and check what else this operator has done.',
    ],
    page: { label: 'See what was asked', path: '/second-person' },
  }
  await mailer.send({ ...operatorMail(letter, settings), key })
}
