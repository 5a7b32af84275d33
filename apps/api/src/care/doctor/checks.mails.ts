import { listShopChecks } from '#care/doctor/shop-checks.ts'
import type { With } from '#platform/dependencies.ts'
import { operatorMail } from '#platform/mail/operator-letter.ts'

/** To the operator: what is a problem now, whichever of them is new. */
export const mailCheckFailing = async (
  { db, mailer, settings }: With<'db' | 'mailer' | 'settings'>,
  key: string,
): Promise<void> => {
  const problems = (await listShopChecks(db)).filter(({ state }) => state === 'problem')
  if (problems.length === 0) return
  const letter = {
    heading:
      problems.length === 1
        ? `A check of the shop failed: ${problems[0]?.name}`
        : `${problems.length} checks of the shop failed`,
    paragraphs: problems.map(({ name, says, act }) => `${name}: ${says}. ${act ?? ''}`.trim()),
    page: { label: 'See all checks', path: '/checks' },
    commands: [['All checks', 'doctor']],
    notes: [
      'See "CheckFailing" in docs/incidents.md. You get this email once until the check is well again.',
    ],
  } as const
  await mailer.send({ ...operatorMail(letter, settings), key })
}
