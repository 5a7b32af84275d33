import { windowsOf } from '@hedgerow/domain/renewals'
import type { BookEntry } from '#testing/torture/books.ts'
import type {
  ConnectionFact,
  CreditNoteFact,
  Evidence,
  InvoiceFact,
  MailFact,
  OrderFact,
  PaymentFact,
} from '#testing/torture/evidence.ts'
import type { PlanTerms } from '#testing/torture/history.ts'

export type Violation = { rule: string; ids: string }

type Rule = (evidence: Evidence) => string[]

const byKey = <T>(items: readonly T[], key: (item: T) => string): Map<string, T> =>
  new Map(items.map((item) => [key(item), item]))

/** What occurs more than once. */
const repeated = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, i) => values.indexOf(value) !== i)),
]

const isSettled = ({ settled }: BookEntry) => settled > 0

/** What of a payment went back, by the gateway's books; what the gateway cannot give back was sent by hand. */
const goneBack = ({ refunds }: Evidence, { id, refunded }: BookEntry): number =>
  refunds
    .filter((one) => one.payment_id === id && one.is_by_hand && one.status === 'Success')
    .reduce((sum, { amount_minor }) => sum + amount_minor, refunded)

/** A time that was read is rounded. */
const ROUNDED_MS = 5

/** What was bought of a connection by payments that were cancelled or not given back whole, in their order. */
const standingOf = (evidence: Evidence) => {
  const whole = new Set(
    evidence.books
      .filter((entry) => isSettled(entry) && goneBack(evidence, entry) === entry.settled)
      .map(({ id }) => id),
  )
  const payments = byKey(evidence.payments, ({ id }) => id)
  const isCancelled = (id: string) => Boolean(payments.get(id)?.cancelled_at)
  const orders = byKey(evidence.orders, ({ id }) => id)
  const extensions = Map.groupBy(evidence.renewals, ({ connection_id }) => connection_id)
  return (connection: ConnectionFact) =>
    [connection, ...(extensions.get(connection.id) ?? [])]
      .filter(({ payment_id }) => isCancelled(payment_id) || !whole.has(payment_id))
      .map(({ payment_id, created_at: at }) => ({
        at,
        days: orders.get(payments.get(payment_id)?.order_id ?? '')?.days ?? 0,
        cancelledAt: payments.get(payment_id)?.cancelled_at ?? null,
        givenBackAt: null,
      }))
      .toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

/** Of a series that is counted by itself, what is missing or double. */
const gapsOf = (documents: readonly { year: number; number: number; last: number }[]): string[] =>
  [...Map.groupBy(documents, ({ year }) => year)].flatMap(([year, ofYear]) => {
    const numbers = ofYear.map(({ number }) => number).toSorted((a, b) => a - b)
    const isWhole = numbers.every((number, i) => number === i + 1) && ofYear[0]?.last === numbers.length
    return isWhole ? [] : [`${year}: ${numbers.length} documents, last ${ofYear[0]?.last}`]
  })

/** The part of a sum that has gone back with so much of what was charged, half up. */
const partOf = (minor: number, back: number, charged: number): number =>
  Math.round((minor * Math.min(back, charged)) / charged)

/** The shop of the run sells under the scheme that asks for no country: each price includes the United Kingdom's 20 %. */
const isUkTax = ({ treatment, country, vat_rate }: InvoiceFact | CreditNoteFact): boolean =>
  treatment === 'uk' && (country ?? 'GB') === 'GB' && vat_rate === 20

const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

const isFirst = ({ corrects }: InvoiceFact): boolean => corrects === null

/** The others are of corrections. */
const isOfRefund = ({ refund_id }: CreditNoteFact): boolean => refund_id !== null

/** Those without one mail that names them at the end of its subject, however many copies; and mails of no invoice. */
const notMailedOnce = (
  mails: readonly MailFact[],
  subject: string,
  invoices: readonly InvoiceFact[],
): string[] => {
  const sent = Map.groupBy(
    mails.filter((mail) => mail.subject.startsWith(subject)),
    (mail) => mail.subject.split(' ').at(-1) ?? '',
  )
  const names = new Set(invoices.map(({ name }) => name))
  return [
    ...[...sent]
      .filter(([name, copies]) => !names.has(name) || new Set(copies.map((one) => one.messageId)).size > 1)
      .map(([name]) => name),
    ...[...names].filter((name) => !sent.has(name)).map((name) => `${name} without its mail`),
  ]
}

const RULES: Readonly<Record<string, Rule>> = {
  'the gateway knows a payment that the shop does not': ({ books, payments }) => {
    const known = byKey(payments, ({ id }) => id)
    return books.filter(({ id }) => !known.has(id)).map(({ id }) => id)
  },
  'a payment is in the books of another gateway, or twice': ({ books, payments }) => {
    const known = byKey(payments, ({ id }) => id)
    const elsewhere = books.filter(({ id, gateway }) => (known.get(id)?.gateway ?? gateway) !== gateway)
    return [...elsewhere.map(({ id }) => id), ...repeated(books.map(({ id }) => id))]
  },
  'the gateway was asked for another sum': ({ books, payments }) => {
    const entries = byKey(books, ({ id }) => id)
    return payments
      .filter(({ id, charged_minor, charged_currency }) => {
        const entry = entries.get(id)
        return entry && (entry.amount !== charged_minor || entry.currency !== charged_currency)
      })
      .map(({ id }) => id)
  },
  'settled, and neither delivered whole nor refunded whole': (evidence) => {
    const rows = byKey(evidence.payments, ({ id }) => id)
    const orders = byKey(evidence.orders, ({ id }) => id)
    const made = Map.groupBy(evidence.connections, ({ payment_id }) => payment_id)
    const extended = Map.groupBy(evidence.renewals, ({ payment_id }) => payment_id)
    return evidence.books.filter(isSettled).flatMap((entry) => {
      const row = rows.get(entry.id)
      const order = row && orders.get(row.order_id)
      const ordinals = (made.get(entry.id) ?? []).map(({ ordinal }) => ordinal).toSorted((a, b) => a - b)
      const count = ordinals.length + (extended.get(entry.id) ?? []).length
      const isWhole = count === order?.connections && ordinals.every((ordinal, i) => ordinal === i + 1)
      const isDelivered =
        row?.status === 'Success' && row.is_delivered && isWhole && order?.status === 'Completed'
      const isRefunded = goneBack(evidence, entry) === entry.settled && count === 0
      // What the gateway would not refund is the operator's to resolve.
      const isOwed = !isDelivered && count === 0 && evidence.waiting.has(entry.id)
      return isOwed || isDelivered !== isRefunded
        ? []
        : [`${entry.id} (${row?.status}, ${count} made or extended)`]
    })
  },
  'an order was paid for twice': (evidence) => {
    const rows = byKey(evidence.payments, ({ id }) => id)
    const isOwed = ({ id }: BookEntry) => !rows.get(id)?.is_delivered && evidence.waiting.has(id)
    const kept = evidence.books.filter(
      (entry) => isSettled(entry) && goneBack(evidence, entry) < entry.settled && !isOwed(entry),
    )
    return repeated(kept.map(({ id }) => rows.get(id)?.order_id ?? id))
  },
  'delivered for another sum than was asked for': ({ books, payments }) => {
    const entries = byKey(books, ({ id }) => id)
    return payments
      .filter(
        ({ id, is_delivered, charged_minor }) => is_delivered && entries.get(id)?.settled !== charged_minor,
      )
      .map(({ id }) => id)
  },
  'a debt that no one is reminded of': ({ refunds, waiting }) =>
    refunds
      .filter(
        ({ status, is_closed, payment_id }) => status === 'Decline' && !is_closed && !waiting.has(payment_id),
      )
      .map(({ id }) => id),
  'more went back than was paid': (evidence) =>
    evidence.books.filter((entry) => goneBack(evidence, entry) > entry.settled).map(({ id }) => id),
  'not settled, but taken for paid or delivered': ({ books, payments, connections, renewals }) => {
    const settled = byKey(books.filter(isSettled), ({ id }) => id)
    const paid = payments.filter(({ status, is_delivered }) => status === 'Success' || is_delivered)
    const bought = [...connections, ...renewals].map(({ payment_id }) => payment_id)
    const ids = [...paid.map(({ id }) => id), ...bought]
    return [...new Set(ids.filter((id) => !settled.has(id)))]
  },
  'an order delivered by more than one payment': ({ payments }) =>
    repeated(payments.filter(({ is_delivered }) => is_delivered).map(({ order_id }) => order_id)),
  'an order and its payments disagree': ({ orders, payments }) => {
    const delivered = new Set(payments.filter((one) => one.is_delivered).map(({ order_id }) => order_id))
    return orders
      .filter(({ id, status }) => (status === 'Completed') !== delivered.has(id))
      .map(({ id }) => id)
  },
  'connections share an address': ({ connections }) => repeated(connections.map(({ address }) => address)),
  'connections share a key': ({ connections }) => repeated(connections.map(({ public_key }) => public_key)),
  'an address in use is on the free list': ({ connections }) =>
    connections.filter(({ is_free_too }) => is_free_too).map(({ id }) => id),
  'a customer was counted connections that they do not have': ({ customers }) =>
    customers.filter(({ made, have }) => made !== have).map(({ id }) => id),
  'a connection ends when what stands paid for it is not used up, or lives on after that': (evidence) => {
    const standing = standingOf(evidence)
    return evidence.connections
      .filter((connection) => {
        const last = windowsOf(standing(connection), []).at(-1)
        if (!last) return !connection.has_ended
        const tooLate = Number(connection.expires_at) - last.end
        // What was over when something of it was taken back ended then.
        if (connection.has_ended && tooLate > 0) return false
        return Math.abs(tooLate) > ROUNDED_MS
      })
      .map(({ id }) => id)
  },
  'a connection was extended by an order that does not name it': ({ renewals, payments, orders }) => {
    const rows = byKey(payments, ({ id }) => id)
    const named = byKey(orders, ({ id }) => id)
    return renewals
      .filter(({ payment_id, connection_id }) => {
        const order = named.get(rows.get(payment_id)?.order_id ?? '')
        return !order?.renews.includes(connection_id)
      })
      .map(({ connection_id }) => connection_id)
  },
  'a payment extended a connection twice': ({ renewals }) =>
    repeated(renewals.map(({ payment_id, connection_id }) => `${payment_id} ${connection_id}`)),
  'new connections are not where their order says they were made': ({ connections, payments, orders }) => {
    const made = Map.groupBy(connections, ({ payment_id }) => payment_id)
    const rows = byKey(orders, ({ id }) => id)
    return payments
      .filter(({ id, order_id, is_delivered }) => {
        const places = new Set((made.get(id) ?? []).map(({ node_id }) => node_id))
        const said = rows.get(order_id)?.delivered_location_id ?? null
        return is_delivered && (said === null ? places.size > 0 : places.size !== 1 || !places.has(said))
      })
      .map(({ id }) => id)
  },
  'a plan was delivered otherwise than its press said': ({ payments, orders, shownStatuses, said }) => {
    const rows = byKey(orders, ({ id }) => id)
    const isSaid = (order: OrderFact, { renew, location }: PlanTerms) => {
      if (order.renews.toSorted().join() !== renew.toSorted().join()) return false
      const hasNew = renew.length < order.connections
      return location && hasNew
        ? order.location_is_chosen && order.location_id === location
        : !order.location_is_chosen
    }
    // Two who buy the same plan at once share an order, once the payment of one has ended: it buys what was pressed for last.
    const saidOf = new Map(
      [...Map.groupBy(payments, ({ order_id }) => order_id)].map(([orderId, ofOrder]) => [
        orderId,
        ofOrder.flatMap(({ id }) => [...(said.get(id) ?? [])]),
      ]),
    )
    // What was left, or had ended, and succeeded all the same, buys what was pressed for last.
    const isOfLastPress = ({ id, is_abandoned }: PaymentFact) =>
      !is_abandoned && !['Decline', 'Error'].some((status) => shownStatuses.get(id)?.has(status))
    return payments
      .filter((payment) => {
        const order = rows.get(payment.order_id)
        if (!payment.is_delivered || !said.has(payment.id) || !order || !isOfLastPress(payment)) return false
        return !saidOf.get(order.id)?.some((one) => isSaid(order, one))
      })
      .map(({ id }) => id)
  },
  'an invoice number is missing or given twice': ({ invoices }) => gapsOf(invoices),
  'a credit note number is missing or given twice': ({ creditNotes }) => gapsOf(creditNotes),
  'the VAT of an invoice is not the United Kingdom’s': ({ invoices }) =>
    invoices
      .filter((one) => {
        const { total_minor: total, net_minor: net, vat_minor: vat, corrects } = one
        // What stands in another's place has the rest of its VAT.
        const isVatOfTotal = corrects !== null || vat === Math.round(total / 6)
        return !isUkTax(one) || !isVatOfTotal || net + vat !== total
      })
      .map(({ name }) => name),
  'the credit notes of a payment are not what went back of its invoice': (evidence) => {
    const invoices = byKey(evidence.invoices.filter(isFirst), ({ order_id }) => order_id)
    const notes = Map.groupBy(evidence.creditNotes, ({ payment_id }) => payment_id)
    const books = byKey(evidence.books, ({ id }) => id)
    return evidence.payments
      .filter(({ id, order_id, charged_minor, is_invoiced }) => {
        const own = notes.get(id) ?? []
        const ofRefunds = own.filter(isOfRefund)
        const [invoice, entry] = [invoices.get(order_id), books.get(id)]
        if (!is_invoiced || !invoice || !entry) return own.length > 0
        const back = goneBack(evidence, entry)
        // A credit note on an invoice of the rest takes its part of that rest, which was rounded too.
        const rounded = back < charged_minor ? own.length - ofRefunds.length : 0
        const isRight = (['total_minor', 'vat_minor'] as const).every(
          (sum) =>
            Math.abs(sumOf(ofRefunds, (note) => note[sum]) - partOf(invoice[sum], back, charged_minor)) <=
            rounded,
        )
        return (
          !isRight ||
          !own.every((note) => isUkTax(note) && note.net_minor + note.vat_minor === note.total_minor)
        )
      })
      .map(({ id }) => id)
  },
  'a refund and its credit note are not one to one': ({ refunds, payments, creditNotes }) => {
    const invoiced = new Set(payments.filter((one) => one.is_invoiced).map(({ id }) => id))
    const ended = refunds.filter(({ status, payment_id }) => status === 'Success' && invoiced.has(payment_id))
    const noted = creditNotes.flatMap(({ refund_id }) => refund_id ?? [])
    return [...repeated(noted), ...ended.map(({ id }) => id).filter((id) => !noted.includes(id))]
  },
  'an earning was not taken back with what went back of its payment': (evidence) => {
    const payments = byKey(evidence.payments, ({ id }) => id)
    const books = byKey(evidence.books, ({ id }) => id)
    return evidence.earnings
      .filter(({ payment_id, amount_minor, due_back_minor, is_own_card }) => {
        const [payment, entry] = [payments.get(payment_id), books.get(payment_id)]
        if (!payment || !entry) return true
        const { charged_minor: charged } = payment
        const kept = is_own_card ? 0 : partOf(amount_minor, charged - goneBack(evidence, entry), charged)
        return due_back_minor !== amount_minor - kept
      })
      .map(({ payment_id }) => payment_id)
  },
  'a delivered order without its one invoice, or an invoice without one': ({ orders, invoices }) => {
    const byOrder = Map.groupBy(invoices, ({ order_id }) => order_id)
    return orders
      .filter(({ id, status, total_minor }) => {
        const own = byOrder.get(id) ?? []
        const [first, second] = own.filter(isFirst)
        const isRight = first?.total_minor === total_minor && !second
        const isOneLive = own.filter(({ is_live }) => is_live).length === 1
        return status === 'Completed' ? !isRight || !isOneLive : own.length > 0
      })
      .map(({ id }) => id)
  },
  'a correction did not take back what was left of an invoice, or put another sum in its place': ({
    invoices,
    creditNotes,
  }) => {
    const byName = byKey(invoices, ({ name }) => name)
    const notes = Map.groupBy(creditNotes, ({ invoice }) => invoice)
    const corrections = invoices.filter((one) => !isFirst(one))
    const isRight = ({ corrects, by_note, order_id, ...made }: InvoiceFact): boolean => {
      const was = byName.get(corrects ?? '')
      const own = notes.get(corrects ?? '') ?? []
      const [note, another] = own.filter((one) => !isOfRefund(one))
      if (!was || was.is_live || was.order_id !== order_id || another || note?.name !== by_note) return false
      return (['total_minor', 'net_minor', 'vat_minor'] as const).every(
        (sum) =>
          note?.[sum] === was[sum] - sumOf(own.filter(isOfRefund), (one) => one[sum]) &&
          made[sum] === note[sum],
      )
    }
    const named = new Set(corrections.map(({ by_note }) => by_note))
    return [
      ...corrections.filter((one) => !isRight(one)).map(({ name }) => name),
      ...creditNotes.filter((note) => !isOfRefund(note) && !named.has(note.name)).map(({ name }) => name),
    ]
  },
  'a receipt or corrected invoice was not mailed, or as two different mails': ({ invoices, mails }) => {
    const [first, corrected] = [invoices.filter(isFirst), invoices.filter((one) => !isFirst(one))]
    return [
      ...notMailedOnce(mails, 'Your receipt', first),
      ...notMailedOnce(mails, 'Your corrected invoice', corrected),
    ]
  },
  'a refund that the gateway did not make, or another sum': ({ refunds, books }) => {
    const operations = byKey(
      books.flatMap(({ id, operations }) => operations.map((one) => ({ ...one, payment: id }))),
      ({ merchantRefundId, payment }) => `${payment} ${merchantRefundId}`,
    )
    return refunds
      .filter(({ is_by_hand }) => !is_by_hand)
      .filter(({ id, payment_id, status, amount_minor }) => {
        const made = operations.get(`${payment_id} ${id.replaceAll('-', '')}`)
        return status === 'Success'
          ? made?.status !== 'success' || made.amount !== amount_minor
          : made?.status === 'success'
      })
      .map(({ id }) => id)
  },
  'the gateway gave back what the shop does not know of': ({ refunds, payments, books }) => {
    const rows = byKey(payments, ({ id }) => id)
    const byHand = Map.groupBy(
      refunds.filter((one) => one.is_by_hand && one.status === 'Success'),
      ({ payment_id }) => payment_id,
    )
    return books
      .filter(({ id, refunded }) => {
        const sent = (byHand.get(id) ?? []).reduce((sum, { amount_minor }) => sum + amount_minor, 0)
        return rows.has(id) && rows.get(id)?.refunded_minor !== refunded + sent
      })
      .map(({ id }) => id)
  },
  'the partners’ books do not add up': ({ partnerFaults }) => partnerFaults,
  'a partner was not credited with a payment': ({ uncredited }) => uncredited,
  'left under way: a payment': ({ payments }) => payments.filter((one) => !one.has_ended).map(({ id }) => id),
  'left under way: a refund': ({ refunds }) =>
    refunds.filter(({ status }) => status === 'Pending').map(({ id }) => id),
  'left under way: a job': ({ jobs }) =>
    jobs.map(
      ({ id, task, attempts, last_error }) =>
        `${task} ${id} (${attempts} tries: ${last_error ?? 'none failed'})`,
    ),
  'left under way at the gateway': ({ books }) =>
    books
      .filter(
        ({ waitsFor, operations }) => waitsFor !== null || operations.some((o) => o.status === 'processing'),
      )
      .map(({ id }) => id),
  'a customer was shown a payment that is gone': ({ shownStatuses, payments }) => {
    const known = byKey(payments, ({ id }) => id)
    return [...shownStatuses.keys()].filter((id) => !known.has(id))
  },
  'a customer was shown Success, and it is not': ({ shownStatuses, payments }) =>
    payments
      .filter(({ id, status }) => shownStatuses.get(id)?.has('Success') && status !== 'Success')
      .map(({ id }) => id),
}

/** Every rule that the evidence breaks, with what breaks it. */
export const findViolations = (evidence: Evidence): Violation[] =>
  Object.entries(RULES).flatMap(([rule, find]) => find(evidence).map((ids) => ({ rule, ids })))

export const RULE_NAMES = Object.keys(RULES)
