import { formatCharged } from '@hedgerow/domain/exchange'
import { createLine, DOCUMENTS, type Line } from '#accounting/month-end/line.ts'
import type { ListedWaiting } from '#accounting/month-end/list-waiting.ts'
import type { Books } from '#accounting/month-end/pages.ts'
import { type Settlement, settleMonth } from '#accounting/settlement/settle.ts'

const sum = ({ minor, currency }: { minor: number; currency: string }) => formatCharged(minor, currency)

/** What the shop and the gateway know of the same money, operation by operation. */
const compareOperations = (settlement: Settlement): Line => {
  const { matched, onlyAtGateway, onlyInShop, differing } = settlement
  const line = createLine(
    'gateway-operations',
    'payments, refunds, disputes lost and reversed that passed the gateway',
    'operations that the gateway has booked for them',
  )
  line.add('left', DOCUMENTS, matched + differing.length + onlyInShop.length)
  line.add('right', DOCUMENTS, matched + differing.length + onlyAtGateway.length)
  for (const { id, kind, initial } of onlyAtGateway)
    line.differ(`operation ${id}`, `only the gateway knows of this ${kind} of ${sum(initial)}`)
  for (const { paymentId, kind, ...entry } of onlyInShop)
    line.differ(`payment ${paymentId}`, `the gateway has booked no ${kind} of ${sum(entry)}`)
  for (const { operation, entry } of differing)
    line.differ(
      `payment ${entry.paymentId}`,
      `the shop has ${sum(entry)}, and operation ${operation.id} is ${sum(operation.initial)}`,
    )
  return line.end()
}

/** What came in, less what went back, fees and payouts, and what the gateway says is left. Only where it reported balances. */
const compareBalances = ({ currencies }: Settlement): Line => {
  const line = createLine(
    'gateway-balance',
    'opening balance, and all that the gateway booked',
    'closing balance, as the gateway reported it',
  )
  for (const { currency, openingMinor, closingMinor, changeMinor } of currencies) {
    if (openingMinor === null || closingMinor === null) continue
    line.add('left', currency, openingMinor + changeMinor)
    line.add('right', currency, closingMinor)
  }
  return line.end()
}

const remark = (kind: string, what: string): ListedWaiting => ({
  ...{ kind, what, count: 1, ids: [] },
})

/** A remark for the accountant where the reports do not reach to both ends of the month. */
const remarkOn = ({ operations, toldUpTo, to }: Settlement): ListedWaiting[] => {
  if (operations === 0 && toldUpTo === null)
    return [remark('no-settlement', 'settlement: no report of the gateway has been taken in for the month')]
  return toldUpTo !== null && toldUpTo >= to
    ? []
    : [remark('part-settlement', 'settlement: reports are not known to reach to the month’s ends')]
}

/** No lines where the gateway has reported nothing of the month. */
export const checkSettlement = async ({
  db,
  month,
}: Books): Promise<{ lines: Line[]; remarks: ListedWaiting[] }> => {
  const settlement = await settleMonth({ db }, month.from, month.to)
  const isReported = settlement.operations > 0 || settlement.toldUpTo !== null
  return {
    lines: isReported ? [compareOperations(settlement), compareBalances(settlement)] : [],
    remarks: remarkOn(settlement),
  }
}
