import { DAY_MS, isoDay } from '@hedgerow/domain/dates'
import type { RunningSetting } from '@hedgerow/domain/running-settings'
import { chanceOf } from '#demo/chance.ts'
import { disputeLast } from '#demo/dispute.ts'
import { withdrawWeekly } from '#demo/partners.ts'
import { underRecord } from '#demo/staff.ts'
import type { Deed, World } from '#demo/world.ts'
import { setRate } from '#money/rates/rates.ts'
import { maintainNodes } from '#network/nodes/maintain-nodes.ts'
import { closeIncident, openIncident, updateIncident } from '#network/status/incidents.service.ts'
import { creditAndReleaseEarnings } from '#partners/earnings/earnings.service.ts'
import { setRunningSetting } from '#platform/running-settings/running-settings.ts'
import { issueDueCreditNotes } from '#sales/invoices/issue-credit-notes.ts'
import { issueDueInvoices } from '#sales/invoices/issue-invoices.ts'
import { setAccountingRate } from '#sales/invoices/set-accounting-rate.ts'
import { remindOfEnds } from '#sales/renewals/remind-of-ends.ts'

const HOUR_MS = 3_600_000

/** What the recurring jobs of a shop do, once a day where they do it every few seconds. */
const keepHouse: Deed = async ({ deps }) => {
  await maintainNodes(deps)
  await issueDueInvoices(deps)
  await issueDueCreditNotes(deps)
  await creditAndReleaseEarnings(deps)
  await remindOfEnds(deps)
}

const takeBackup: Deed = async ({ deps, staff }) => {
  await underRecord(deps, { who: staff.servers, command: 'backup' }, async () => undefined)
}

/** Finance sets what Blik is charged at each week, and HMRC's rate of each month when it is published. */
const setBlikRates: Deed = async ({ deps, staff, seed }) => {
  const chance = chanceOf(seed, `rates ${isoDay(new Date())}`)
  const rates = { EUR: 4_230_000 + chance.below(60_000), GBP: 4_980_000 + chance.below(80_000) }
  for (const currency of ['EUR', 'GBP'] as const) {
    const said = { who: staff.finance, command: 'rate set', subject: currency }
    await underRecord(deps, said, () => setRate(deps, currency, rates[currency]))
  }
}

const setMonthsRates: Deed = async ({ deps, seed, days }) => {
  const months = new Set(
    Array.from({ length: days + 33 }, (_, day) => isoDay(new Date(Date.now() + day * DAY_MS)).slice(0, 7)),
  )
  for (const month of months) {
    const chance = chanceOf(seed, `sterling ${month}`)
    const rates = { EUR: 1_148_000 + chance.below(9_000), PLN: 4_940_000 + chance.below(60_000) }
    await deps.db.transaction().execute(async (trx) => {
      for (const [currency, rateMicro] of Object.entries(rates))
        await setAccountingRate(trx, 'sterling', { currency, day: `${month}-01`, rateMicro })
    })
  }
}

/** As the banks' own example of a British account has it: nobody's. */
const PAID_FROM = {
  'payout-iban': 'GB33BUKB20201555555555',
  'payout-bic': 'BUKBGB22',
  'payout-sort-code': '202015',
  'payout-account': '55555555',
} as const satisfies Partial<Record<RunningSetting, string>>

const setPayingAccount: Deed = async ({ deps, staff }) => {
  for (const [name, value] of Object.entries(PAID_FROM)) {
    const said = {
      ...{ who: staff.manager, command: 'setting set', subject: name },
      arguments: { value },
    }
    await underRecord(deps, said, () =>
      setRunningSetting(deps.db, name as RunningSetting, value, staff.manager.id),
    )
  }
}

type Trouble = {
  title: string
  places: string[]
  words: readonly string[]
  hours: number
  before: number
  planned?: true
}

/** As shares of the days that are over by then. */
const TROUBLES: readonly Trouble[] = [
  {
    title: 'Slow connections in Frankfurt',
    places: ['Frankfurt'],
    words: [
      'For about an hour, connections in Frankfurt have been slower than they should be. We are looking into it.',
      'One of our provider’s lines is down, so traffic is taking a detour. They expect it back within the hour.',
      'The line is back, and so is the speed. We are sorry about this evening.',
    ],
    hours: 3,
    before: 0.62,
  },
  {
    title: 'New hardware in London',
    places: ['London'],
    words: [
      'We are moving the London server to new hardware. Connections there will pause for up to twenty minutes and come back by themselves.',
      'Done in eleven minutes. London has twice the room now.',
    ],
    hours: 1,
    before: 0.35,
    planned: true,
  },
  {
    title: 'Card payments fail now and then',
    places: [],
    words: [
      'Some card payments end with “issuer not available”. Bank and Blik payments are fine; nothing is charged for what fails.',
      'Our payment provider has fixed the fault.',
    ],
    hours: 2,
    before: 0.14,
  },
]

const planTrouble = (world: World, { title, places, words, hours, before, planned }: Trouble): void => {
  const start = Math.floor((world.end - world.days * before * DAY_MS) / DAY_MS) * DAY_MS + 17 * HOUR_MS
  const [first = '', ...others] = words
  const last = others.at(-1)
  const startsAt = new Date(start)
  world.at(start - (planned ? 26 * HOUR_MS : 0), async (now) => {
    const { deps, staff } = now
    const endsAt = planned ? new Date(start + hours * HOUR_MS) : undefined
    const known = now.nodes.size > 0 ? places : []
    const id = await underRecord(deps, { who: staff.servers, command: 'incident open' }, () =>
      openIncident(deps, { title, text: first, places: known, startsAt, endsAt }),
    )
    if (typeof id !== 'string' || id === 'too-many-open') throw new Error(`no incident was opened: ${title}`)
    for (const [at, text] of others.slice(0, -1).entries())
      now.at(start + (at + 1) * HOUR_MS, async () => {
        const said = { who: staff.servers, command: 'incident update', subject: id }
        await underRecord(deps, said, () => updateIncident(deps, id, { text }))
      })
    now.at(start + hours * HOUR_MS - 600_000, async () => {
      const said = { who: staff.servers, command: 'incident close', subject: id }
      await underRecord(deps, said, () => closeIncident(deps, id, last))
    })
  })
}

/** All that goes on by itself, or by those who work there. */
export const planHouse = (world: World): void => {
  const start = world.end - world.days * DAY_MS
  world.at(start, setMonthsRates)
  world.at(start, setPayingAccount)
  for (let day = 0; day <= world.days; day++) {
    const midnight = Math.floor(start / DAY_MS + day) * DAY_MS
    if (day % 7 === 0) world.at(Math.max(start, midnight + 9 * HOUR_MS), setBlikRates)
    if (day > 0) world.at(midnight + 5 * 60_000, keepHouse)
    if (day > 0) world.at(midnight + 3 * HOUR_MS, takeBackup)
    // What is earned later is asked for on the last day but one, and waits.
    if (day % 7 === 3 && day < world.days - 9) world.at(midnight + 15 * HOUR_MS, withdrawWeekly)
  }
  for (const trouble of TROUBLES) planTrouble(world, trouble)
  world.at(world.end - 30 * HOUR_MS, withdrawWeekly)
  world.at(world.end - 20 * HOUR_MS, disputeLast)
  world.at(world.end - 60_000, keepHouse)
}
