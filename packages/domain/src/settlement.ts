/** What a gateway books on the merchant's balance, and how that is held against what the shop knows. */

export const OPERATION_KINDS = [
  'sale',
  'refund',
  'chargeback',
  'representment',
  'fee',
  'payout',
  'correction',
  'exchange',
  // What the gateway keeps back of the balance as a security, for some months, and gives free again.
  'reserve',
  'release',
  // Whatever moved for others who share the account: it is on the balance, and no money of this shop.
  'other-shop',
] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

/** Minor units of a currency of ISO 4217. */
export type Sum = { minor: number; currency: string }

export type SettlementOperation = {
  /** The gateway's own. */
  id: string
  /** The gateway's id of what it was booked for, where bookings have other ids than that: a refund, a dispute, a payout. */
  source?: string | null
  kind: OperationKind
  paymentId: string | null
  /** What moved between the customer and the gateway; signed as it changes the balance. */
  initial: Sum
  /** What the balance changed by for it, before the fee: the same, unless the gateway converted it. */
  booked: Sum
  /** What the gateway took for it, in the booked currency; negative where it gave that back. */
  feeMinor: number
}

const SIGNS: Readonly<Record<OperationKind, 1 | -1 | undefined>> = {
  sale: 1,
  refund: -1,
  chargeback: -1,
  representment: 1,
  fee: -1,
  payout: -1,
  // These go both ways: their own sign counts.
  correction: undefined,
  exchange: undefined,
  'other-shop': undefined,
  reserve: -1,
  release: 1,
}

/** A sum as reports write it, most without a sign, as it changes the balance. */
export const signedFor = (kind: OperationKind, minor: number): number => {
  const sign = SIGNS[kind]
  // Never −0, which is not 0 to those who compare.
  return minor === 0 ? 0 : sign ? sign * Math.abs(minor) : minor
}

/** Of a currency's balance, in minor units, signed as they changed it. */
export type CurrencyTotals = {
  currency: string
  operations: number
  salesMinor: number
  refundsMinor: number
  chargebacksMinor: number
  representmentsMinor: number
  feesMinor: number
  payoutsMinor: number
  correctionsMinor: number
  exchangesMinor: number
  /** Still the merchant's: at the gateway, but not to be paid out yet. */
  reservesMinor: number
  releasesMinor: number
  otherShopsMinor: number
  /** All of them: what is left on the balance, or is missing from it, after the period. */
  changeMinor: number
}

/** As a gateway's statement is read, from the opening balance to the closing one: the name of each line, and where it stands. */
export const STATEMENT_LINES = [
  ['Opening balance', 'openingMinor'],
  ['Sales', 'salesMinor'],
  ['Refunds', 'refundsMinor'],
  ['Chargebacks', 'chargebacksMinor'],
  ['Representments', 'representmentsMinor'],
  ['Fees', 'feesMinor'],
  ['Corrections', 'correctionsMinor'],
  ['Exchanges', 'exchangesMinor'],
  ['Held in reserve', 'reservesMinor'],
  ['Released from reserve', 'releasesMinor'],
  ['Of other shops', 'otherShopsMinor'],
  ['Payouts', 'payoutsMinor'],
  ['Change', 'changeMinor'],
  ['Closing balance', 'closingMinor'],
] as const

const PART_OF: Readonly<Record<OperationKind, Exclude<keyof CurrencyTotals, 'currency' | 'operations'>>> = {
  sale: 'salesMinor',
  refund: 'refundsMinor',
  chargeback: 'chargebacksMinor',
  representment: 'representmentsMinor',
  fee: 'feesMinor',
  payout: 'payoutsMinor',
  correction: 'correctionsMinor',
  exchange: 'exchangesMinor',
  reserve: 'reservesMinor',
  release: 'releasesMinor',
  'other-shop': 'otherShopsMinor',
}

/** Of a currency that did not move. */
export const noTotals = (currency: string): CurrencyTotals => ({
  currency,
  operations: 0,
  salesMinor: 0,
  refundsMinor: 0,
  chargebacksMinor: 0,
  representmentsMinor: 0,
  feesMinor: 0,
  payoutsMinor: 0,
  correctionsMinor: 0,
  exchangesMinor: 0,
  reservesMinor: 0,
  releasesMinor: 0,
  otherShopsMinor: 0,
  changeMinor: 0,
})

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Each operation once, by its id, in an order that does not depend on theirs. */
const onceEach = <O extends { id: string }>(operations: readonly O[]): O[] =>
  [...new Map(operations.map((one) => [one.id, one])).values()].sort((one, other) => byText(one.id, other.id))

/** By the currency of the balance, in alphabetical order. A repeated operation counts once. */
export const totalsOf = (
  operations: readonly Omit<SettlementOperation, 'initial' | 'paymentId'>[],
): CurrencyTotals[] => {
  const totals = new Map<string, CurrencyTotals>()
  for (const { kind, booked, feeMinor } of onceEach(operations)) {
    const total = totals.get(booked.currency) ?? noTotals(booked.currency)
    const part = PART_OF[kind]
    const booking = { ...total, [part]: total[part] + booked.minor }
    totals.set(booked.currency, {
      ...booking,
      operations: total.operations + 1,
      feesMinor: booking.feesMinor - feeMinor,
      changeMinor: total.changeMinor + booked.minor - feeMinor,
    })
  }
  return [...totals.values()].sort((one, other) => byText(one.currency, other.currency))
}

/** What the shop knows of: a payment that brought money, or money that went back through the gateway. */
export type ShopEntry = Sum & {
  /** The payment's id, or the refund's. */
  id: string
  paymentId: string
  /** 'dispute': what a chargeback took. 'open-dispute': one is known of, and may have taken it for now. 'recovery': what came back of one that was lost. */
  kind: 'sale' | 'refund' | 'dispute' | 'open-dispute' | 'recovery'
  /** The gateway's id of the operation, or of what it was booked for, where it was given. */
  operationId?: string | null
}

export type Matched<O, E> = {
  matched: O[]
  /** Money that only the gateway knows of. */
  onlyAtGateway: O[]
  /** Money that the report lacks. */
  onlyInShop: E[]
  /** The same payment or refund, but not the same sum or currency. */
  differing: { operation: O; entry: E }[]
}

const isSameSum = ({ initial }: Pick<SettlementOperation, 'initial'>, entry: Sum): boolean =>
  Math.abs(initial.minor) === entry.minor && initial.currency === entry.currency

/** Takes pairs out of both lists, first come, first served. */
const takePairs = <A, B>(ones: A[], others: B[], belong: (one: A, other: B) => boolean): [A, B][] => {
  const pairs: [A, B][] = []
  for (const one of [...ones]) {
    const at = others.findIndex((other) => belong(one, other))
    const [other] = at < 0 ? [] : others.splice(at, 1)
    if (other === undefined) continue
    ones.splice(ones.indexOf(one), 1)
    pairs.push([one, other])
  }
  return pairs
}

const OPERATION_OF: Readonly<Record<ShopEntry['kind'], OperationKind>> = {
  sale: 'sale',
  refund: 'refund',
  dispute: 'chargeback',
  'open-dispute': 'chargeback',
  recovery: 'representment',
}

/** Of its kind, and the way that money of this kind goes: a refund that came back is none. */
const isOfKind = ({ kind, initial }: SettlementOperation, entry: ShopEntry): boolean =>
  OPERATION_OF[entry.kind] === kind && initial.minor * (SIGNS[kind] ?? 1) >= 0

const isNamedBy = (one: SettlementOperation, entry: ShopEntry): boolean =>
  entry.operationId === one.id ||
  (typeof one.source === 'string' && entry.operationId === one.source && isOfKind(one, entry))

/** Which operation is which entry of the same payment: by the gateway's id, then by kind and sum, then by kind alone. */
export const pairOperations = <O extends SettlementOperation, E extends ShopEntry>(
  operations: readonly O[],
  entries: readonly E[],
): [O, E][] => {
  const inShop = Map.groupBy(entries, ({ paymentId }) => paymentId)
  return [...Map.groupBy(operations, ({ paymentId }) => paymentId ?? '')].flatMap(([paymentId, group]) => {
    const [ones, others] = [[...group], [...(inShop.get(paymentId) ?? [])]]
    return [
      ...takePairs(ones, others, isNamedBy),
      ...takePairs(ones, others, (one, entry) => isOfKind(one, entry) && isSameSum(one, entry)),
      ...takePairs(ones, others, isOfKind),
    ]
  })
}

const sumIn = (sums: readonly Sum[]): Sum | undefined => {
  const [first] = sums
  return first && sums.every(({ currency }) => currency === first.currency)
    ? { currency: first.currency, minor: sums.reduce((sum, { minor }) => sum + minor, 0) }
    : undefined
}

/** Three refunds of ours that the gateway booked as one, or the other way round. */
const isSameInSum = (operations: readonly SettlementOperation[], entries: readonly Sum[]): boolean => {
  const there = sumIn(operations.map(({ initial }) => initial))
  const here = sumIn(entries)
  return Boolean(there && here && isSameSum({ initial: there }, here))
}

/** Of one payment and one kind: by the gateway's id, then by the sum, then all together; what is left differs. */
const matchKind = <O extends SettlementOperation, E extends ShopEntry>(
  operations: O[],
  entries: E[],
): Matched<O, E> => {
  const differing: { operation: O; entry: E }[] = []
  const matched: O[] = []
  for (const [operation, entry] of takePairs(operations, entries, isNamedBy))
    isSameSum(operation, entry) ? matched.push(operation) : differing.push({ operation, entry })
  matched.push(...takePairs(operations, entries, isSameSum).map(([operation]) => operation))
  if (isSameInSum(operations, entries))
    return { matched: [...matched, ...operations], differing, onlyAtGateway: [], onlyInShop: [] }
  for (const [operation, entry] of takePairs(operations, entries, () => true))
    differing.push({ operation, entry })
  return { matched, differing, onlyAtGateway: operations, onlyInShop: entries }
}

/**
 * What a chargeback took is a refund of ours for a dispute that was lost; or comes back by a representment; or is under
 * way, as long as the dispute is. Only of a lost one must there be an operation, and of what came back of one.
 */
const matchDisputes = <O extends SettlementOperation, E extends ShopEntry>(
  taken: O[],
  givenBack: O[],
  lost: E[],
  recovered: E[],
  isDisputed: boolean,
): Matched<O, E> => {
  const matched = takePairs(taken, lost, isSameSum).map(([operation]) => operation)
  matched.push(...takePairs(givenBack, recovered, isSameSum).map(([operation]) => operation))
  matched.push(...takePairs(taken, givenBack, (one, other) => isSameSum(one, { ...other.initial })).flat())
  if (isDisputed) matched.push(...taken.splice(0), ...givenBack.splice(0))
  const rest = { matched, onlyAtGateway: [], onlyInShop: [], differing: [] }
  return joined([rest, matchKind(taken, lost), matchKind(givenBack, recovered)])
}

/**
 * A refund that failed at the bank came back by a second booking for it. Both stand for nothing here, unless the shop still
 * takes it for sent.
 */
const matchRefunds = <O extends SettlementOperation, E extends ShopEntry>(
  operations: readonly O[],
  entries: E[],
): Matched<O, E> => {
  const back = operations.filter(({ initial }) => initial.minor > 0)
  const sent = operations.filter(({ initial }) => initial.minor <= 0)
  const matched = takePairs(
    back,
    sent,
    (one, other) =>
      one.source === other.source &&
      one.initial.minor === -other.initial.minor &&
      !entries.some((entry) => isNamedBy(other, entry)),
  ).flat()
  return joined([{ matched, onlyAtGateway: back, onlyInShop: [], differing: [] }, matchKind(sent, entries)])
}

const joined = <O, E>(parts: readonly Matched<O, E>[]): Matched<O, E> => ({
  matched: parts.flatMap(({ matched }) => matched),
  onlyAtGateway: parts.flatMap(({ onlyAtGateway }) => onlyAtGateway),
  onlyInShop: parts.flatMap(({ onlyInShop }) => onlyInShop),
  differing: parts.flatMap(({ differing }) => differing),
})

const matchPayment = <O extends SettlementOperation, E extends ShopEntry>(
  operations: readonly O[],
  entries: readonly E[],
): Matched<O, E> => {
  const of = (kind: OperationKind) => operations.filter((one) => one.kind === kind)
  const here = (kind: ShopEntry['kind']) => entries.filter((one) => one.kind === kind)
  const isDisputed = here('open-dispute').length > 0
  return joined([
    matchKind(of('sale'), here('sale')),
    matchRefunds(of('refund'), here('refund')),
    matchDisputes(of('chargeback'), of('representment'), here('dispute'), here('recovery'), isDisputed),
  ])
}

/** The gateway's own affairs, which the shop has nothing to hold against. */
export const isGatewaysOwn = ({ kind }: Pick<SettlementOperation, 'kind'>): boolean =>
  ['fee', 'payout', 'exchange', 'reserve', 'release', 'other-shop'].includes(kind)

/**
 * Holds the operations of some payments against all that the shop has of the same payments. The order of either does not
 * matter, nor that an operation is repeated. A correction, and what names no payment, only the gateway knows of.
 */
export const matchSettlement = <O extends SettlementOperation, E extends ShopEntry>(
  operations: readonly O[],
  entries: readonly E[],
): Matched<O, E> => {
  const each = onceEach(operations)
  const isStray = (one: O) => !isGatewaysOwn(one) && (one.kind === 'correction' || one.paymentId === null)
  const ofPayments = Map.groupBy(
    each.filter((one) => !isGatewaysOwn(one) && !isStray(one)),
    ({ paymentId }) => paymentId ?? '',
  )
  const inShop = Map.groupBy(onceEach(entries), ({ paymentId }) => paymentId)
  const ids = [...new Set([...ofPayments.keys(), ...inShop.keys()])].sort()
  return joined([
    {
      matched: each.filter(isGatewaysOwn),
      onlyAtGateway: each.filter(isStray),
      onlyInShop: [],
      differing: [],
    },
    ...ids.map((id) => matchPayment(ofPayments.get(id) ?? [], inShop.get(id) ?? [])),
  ])
}
