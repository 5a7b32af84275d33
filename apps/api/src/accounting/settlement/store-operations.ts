import { formatMinorOf } from '@hedgerow/domain/exchange'
import { GATEWAY_TITLES, type GatewayName } from '@hedgerow/domain/gateways'
import { isGatewaysOwn, type Sum } from '@hedgerow/domain/settlement'
import {
  listByIds,
  listKnownPayments,
  lockOperations,
  type NewOperation,
  noteEci,
  putOperations,
} from '#accounting/settlement/operations.queries.ts'
import type { ReportedOperation } from '#money/gateway/reported-operation.ts'
import { noteBankCountry } from '#money/payments/place-of-sale/note-bank-country.ts'
import { CsvFault } from '#platform/csv/read-csv.ts'
import type { Trx } from '#platform/database/client.ts'
import type { SettlementOperationRow } from '#platform/database/tables/settlement.table.ts'

/** What the gateway now says otherwise of an operation that it had reported. */
export type Change = { id: string; what: string; before: string; after: string }

export type Stored = { created: number; same: number; changes: Change[] }

type Row = Omit<NewOperation, 'run_id' | 'completed_at'> & { completed_at: Date }

const sumOf = (minor: string | number, currency: string): Sum => ({ minor: Number(minor), currency })

/** What was converted before, and of which only the customer's side is reported now, stays as it was booked. */
const bookedOf = (
  { booked, initial }: ReportedOperation,
  before: SettlementOperationRow | undefined,
): Sum => {
  if (booked) return booked
  const isAsBefore =
    before && Number(before.initial_minor) === initial.minor && before.initial_currency === initial.currency
  return isAsBefore ? sumOf(before.booked_minor, before.booked_currency) : initial
}

const rowOf = (
  gateway: GatewayName,
  reported: ReportedOperation,
  before: SettlementOperationRow | undefined,
  isKnown: boolean,
): Row => {
  const booked = bookedOf(reported, before)
  const isNobodys = reported.status !== 'success' || isGatewaysOwn(reported)
  return {
    id: reported.id,
    gateway,
    source: reported.source ?? before?.source ?? null,
    kind: reported.kind,
    type: reported.type,
    status: reported.status,
    payment_id: reported.paymentId ?? before?.payment_id ?? null,
    initial_minor: reported.initial.minor,
    initial_currency: reported.initial.currency,
    booked_minor: booked.minor,
    booked_currency: booked.currency,
    fee_minor: reported.feeMinor ?? Number(before?.fee_minor ?? 0),
    method: reported.method ?? before?.method ?? null,
    // The payment has it already, and gives it up when its account is erased.
    pan_masked: isKnown ? null : (reported.panMasked ?? before?.pan_masked ?? null),
    arn: reported.arn ?? before?.arn ?? null,
    rrn: reported.rrn ?? before?.rrn ?? null,
    completed_at: reported.completedAt,
    standing: isNobodys ? 'known' : 'unknown',
  }
}

const money = (minor: string | number, currency: string) =>
  `${formatMinorOf(Number(minor), currency)} ${currency}`

/** What an operator sees when it changes; anything else is only kept. */
const FACTS: readonly (readonly [string, (row: Row | SettlementOperationRow) => string])[] = [
  ['kind', ({ kind }) => kind],
  ['status', ({ status }) => status],
  ['payment', ({ payment_id }) => payment_id ?? 'none'],
  ['sum', ({ initial_minor, initial_currency }) => money(initial_minor, initial_currency)],
  ['booked', ({ booked_minor, booked_currency }) => money(booked_minor, booked_currency)],
  ['fee', ({ fee_minor, booked_currency }) => money(fee_minor ?? 0, booked_currency)],
  ['completed', ({ completed_at }) => completed_at.toISOString()],
]

const changesOf = (before: SettlementOperationRow, row: Row): Change[] =>
  FACTS.flatMap(([what, read]) =>
    read(before) === read(row) ? [] : [{ id: row.id, what, before: read(before), after: read(row) }],
  )

/** The card network's numbers may be known later than all else. */
const hasNewNumber = (before: SettlementOperationRow, row: Row): boolean =>
  before.arn !== row.arn || before.rrn !== row.rrn

/**
 * Keeps what the gateway has reported, each operation once by its id: the same again changes nothing, another word of it counts
 * and is returned. An explanation stays as long as what it explains. Throws CsvFault at an id that another gateway has.
 */
export const storeOperations = async (
  trx: Trx,
  runId: string,
  gateway: GatewayName,
  reported: readonly ReportedOperation[],
): Promise<Stored> => {
  await lockOperations(trx)
  const last = new Map(reported.map((operation) => [operation.id, operation]))
  const before = new Map((await listByIds(trx, [...last.keys()])).map((row) => [row.id, row]))
  const paymentIds = [...new Set([...last.values()].flatMap(({ paymentId }) => paymentId ?? []))]
  const known = await listKnownPayments(trx, paymentIds)
  const stored: Stored = { created: 0, same: reported.length - last.size, changes: [] }
  const rows: NewOperation[] = []
  for (const operation of last.values()) {
    const old = before.get(operation.id)
    if (old && old.gateway !== gateway)
      throw new CsvFault([`Operation ${old.id} is known already, as ${GATEWAY_TITLES[old.gateway]}’s.`])
    const row = rowOf(gateway, operation, old, known.has(operation.paymentId ?? ''))
    const changes = old ? changesOf(old, row) : []
    stored.changes.push(...changes)
    if (old && changes.length === 0) {
      stored.same += 1
      const { standing, explanation, explained_at, changed_at } = old
      if (hasNewNumber(old, row))
        rows.push({ ...row, run_id: runId, standing, explanation, explained_at, changed_at })
      continue
    }
    if (!old) stored.created += 1
    rows.push({ ...row, run_id: runId, ...(old ? { changed_at: new Date() } : {}) })
  }
  await putOperations(trx, rows)
  for (const { paymentId, bankCountry, eci } of last.values()) {
    if (paymentId === null || !known.has(paymentId)) continue
    if (bankCountry) await noteBankCountry(trx, paymentId, bankCountry)
    if (eci) await noteEci(trx, paymentId, eci)
  }
  return stored
}

/** How many operations changed: of one, several things may have. */
export const changedCount = (changes: readonly Change[]): number => new Set(changes.map(({ id }) => id)).size
