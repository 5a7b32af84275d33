import { formatCharged } from '@hedgerow/domain/exchange'
import { GATEWAY_TITLES, GATEWAYS, type GatewayName, PAID_INTO_WALLET } from '@hedgerow/domain/gateways'
import { createLine, DOCUMENTS, type Line } from '#accounting/month-end/line.ts'
import type { ListedWaiting } from '#accounting/month-end/list-waiting.ts'
import type { Books } from '#accounting/month-end/pages.ts'
import { type Settlement, settleMonth } from '#accounting/settlement/settle.ts'

const sum = ({ minor, currency }: { minor: number; currency: string }) => formatCharged(minor, currency)

const nameOf = (gateway: GatewayName): string =>
  gateway === 'gate' ? 'the gateway' : GATEWAY_TITLES[gateway]

/** What the shop and the gateway know of the same money, operation by operation. */
const compareOperations = (settlement: Settlement): Line => {
  const { gateway, matched, onlyAtGateway, onlyInShop, differing } = settlement
  const name = nameOf(gateway)
  const [id, left, right] = PAID_INTO_WALLET.includes(gateway)
    ? [`${gateway}-invoices`, `payments that ${name} carried`, 'invoices that it says were paid']
    : [
        `${gateway === 'gate' ? 'gateway' : gateway}-operations`,
        `payments, refunds, disputes lost and reversed that passed ${name}`,
        `operations that ${name} has booked for them`,
      ]
  const line = createLine(id, left, right)
  line.add('left', DOCUMENTS, matched + differing.length + onlyInShop.length)
  line.add('right', DOCUMENTS, matched + differing.length + onlyAtGateway.length)
  for (const { id, kind, initial } of onlyAtGateway)
    line.differ(`operation ${id}`, `only ${name} knows of this ${kind} of ${sum(initial)}`)
  for (const { paymentId, kind, ...entry } of onlyInShop)
    line.differ(`payment ${paymentId}`, `${name} has booked no ${kind} of ${sum(entry)}`)
  for (const { operation, entry } of differing)
    line.differ(
      `payment ${entry.paymentId}`,
      `the shop has ${sum(entry)}, and operation ${operation.id} is ${sum(operation.initial)}`,
    )
  return line.end()
}

/** What came in, less what went back, fees and payouts, and what the gateway says is left. The Gate alone reports balances. */
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

/** Where nothing was reported of the month, nothing can be held against the shop. */
const isReported = ({ operations, toldUpTo }: Settlement): boolean => operations > 0 || toldUpTo !== null

/** Whether reports are known to go on, and have not come to the month's end yet. */
const isAwaited = ({ toldUpTo, to }: Settlement): boolean => toldUpTo !== null && toldUpTo < to

/** Without what no report can have yet. */
const asReported = (settlement: Settlement): Settlement => {
  const { toldUpTo, onlyInShop } = settlement
  return toldUpTo === null || !isAwaited(settlement)
    ? settlement
    : { ...settlement, onlyInShop: onlyInShop.filter(({ at }) => at < toldUpTo) }
}

const awaitedOf = (all: readonly Settlement[]): ListedWaiting[] => {
  const names = all.filter(isAwaited).map(({ gateway }) => nameOf(gateway))
  const what = 'reports are not here up to the month’s end: waiting for the gateway'
  return names.length > 0 ? [{ kind: 'report-awaited', what, count: names.length, ids: names }] : []
}

/** A remark for the accountant where the reports do not reach to both ends of the month. */
const remarkOn = (settlement: Settlement): ListedWaiting[] => {
  const { gateway, toldUpTo } = settlement
  const name = nameOf(gateway)
  if (!isReported(settlement))
    return [remark('no-settlement', `settlement: no report of ${name} has been taken in for the month`)]
  return toldUpTo !== null
    ? []
    : [remark('part-settlement', `settlement: reports of ${name} are not known to reach to the month’s ends`)]
}

/** Those that had anything to do in the month; the Gate where none had. */
const ofMonth = (all: readonly Settlement[]): readonly Settlement[] => {
  const used = all.filter(({ operations, onlyInShop }) => operations + onlyInShop.length > 0)
  return used.length > 0 ? used : all.slice(0, 1)
}

/** Gateway by gateway. No lines of one that has reported nothing of the month. */
export const checkSettlement = async ({
  db,
  month,
}: Books): Promise<{ lines: Line[]; waiting: ListedWaiting[]; remarks: ListedWaiting[] }> => {
  const all: Settlement[] = []
  for (const gateway of GATEWAYS) all.push(await settleMonth({ db }, gateway, month.from, month.to))
  const used = ofMonth(all)
  return {
    lines: used
      .filter(isReported)
      .map(asReported)
      .flatMap((one) => [compareOperations(one), ...(one.gateway === 'gate' ? [compareBalances(one)] : [])]),
    waiting: awaitedOf(used),
    remarks: used.flatMap(remarkOn),
  }
}
