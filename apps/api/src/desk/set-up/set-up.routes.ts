import * as setUp from '@hedgerow/contract/console/set-up'
import type { FastifyInstance } from 'fastify'
import { checksNamed, runChecks } from '#care/doctor/run-checks.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import { countBegun } from '#desk/set-up/set-up.queries.ts'
import { readSetUp } from '#desk/set-up/set-up.ts'
import type { With } from '#platform/dependencies.ts'
import { pagesFolder } from '#platform/http/files/pages-folder.ts'

const MAILS_AN_HOUR = 5
/** Longer than the doctor takes: one that never ended was killed with its process. */
const DOCTOR_SECONDS = 60

/** What a shop that was just installed still needs before it sells. */
export const setUpRoutes = (app: FastifyInstance | LocalCalls, deps: With<'db' | 'settings'>): void => {
  const { db, settings } = deps
  const on = { settings, db, storefrontDir: pagesFolder('storefront', settings) }

  implementForOperators(app, deps, setUp.getSetUp, () => readSetUp(deps))

  // The record of each is written before it is begun: whoever comes at the same time is counted too.
  implementForOperators(app, deps, setUp.sendTestMail, async () => {
    if ((await countBegun(db, 'set-up mail', { seconds: 3600 })) > MAILS_AN_HOUR)
      throw refused(`${MAILS_AN_HOUR} mails were tried within the hour. Try again later`)
    const found = await runChecks({ ...on, mailTo: settings.operatorEmail }, { checks: checksNamed('mail') })
    const fault = found.find(({ state }) => state === 'problem')
    if (fault) throw refused([fault.says, fault.act].filter(Boolean).join('. '))
    return {}
  })

  implementForOperators(app, deps, setUp.confirmPrices, async () => ({}))

  implementForOperators(app, deps, setUp.runDoctor, async () => {
    if ((await countBegun(db, 'doctor', { seconds: DOCTOR_SECONDS, isUnderWay: true })) > 1)
      throw refused('the doctor is at work already. Try again in half a minute')
    const found = await runChecks(on)
    return { found: found.map(({ check, state, says, act }) => ({ check, state, says, act: act ?? null })) }
  })
}
