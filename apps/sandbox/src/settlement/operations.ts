import { type Booking, directionOf } from '#books/bookings.ts'
import type { Books } from '#books/books.ts'
import { settledAmount } from '#books/present-books.ts'
import { type Operation, type Payment, receivedOf, saleOf } from '#payments/payment.ts'
import { refundFee, saleFee } from '#settlement/fees.ts'

/** A line of the gateway's report, whatever it came from. Times in milliseconds, sums in minor units. */
export type ReportLine = {
  id: number
  type: string
  status: 'success' | 'decline'
  payment?: Payment | undefined
  paymentId?: string | undefined
  description: string
  sum: number
  currency: string
  fee: number
  /** What the balance changed by, with the fee. */
  change: number
  createdAt: number
  completedAt: number
}

const isOver = ({ status }: Operation): boolean =>
  status === 'success' || status === 'decline'

/** What was promised is the merchant's when it was confirmed. */
const saleLine = (payment: Payment): ReportLine | undefined => {
  const sale = saleOf(payment)
  const confirmation = payment.operations.find(({ type }) => type === 'payment confirmation')
  const end = confirmation ?? sale
  if (!isOver(end) || payment.status === 'awaiting confirmation') return undefined
  const settled = settledAmount(payment)
  const { currency } = settled > 0 ? receivedOf(payment) : payment
  const fee = settled > 0 ? saleFee(payment.method, settled) : 0
  return {
    id: sale.id,
    type: 'sale',
    status: settled > 0 ? 'success' : 'decline',
    payment,
    paymentId: payment.id,
    description: payment.description,
    sum: settled || payment.amount,
    currency,
    fee,
    change: settled - fee,
    createdAt: sale.createdAt,
    completedAt: end.updatedAt,
  }
}

const refundLine = (payment: Payment, { id, type, status, ...operation }: Operation): ReportLine => {
  const isDone = status === 'success'
  const fee = isDone ? refundFee() : 0
  return {
    id,
    type,
    status: isDone ? 'success' : 'decline',
    payment,
    paymentId: payment.id,
    description: payment.description,
    sum: operation.amount,
    currency: receivedOf(payment).currency,
    fee,
    change: (isDone ? -operation.amount : 0) - fee,
    createdAt: operation.createdAt,
    completedAt: operation.updatedAt,
  }
}

const paymentLines = (payment: Payment): ReportLine[] => {
  const sale = saleLine(payment)
  const back = payment.operations.filter(
    (one) => (one.type === 'refund' || one.type === 'reversal') && isOver(one),
  )
  return [...(sale ? [sale] : []), ...back.map((one) => refundLine(payment, one))]
}

const bookingLine = (books: Books, booking: Booking): ReportLine => ({
  id: booking.id,
  type: booking.type,
  status: 'success',
  payment: booking.paymentId === undefined ? undefined : books.find(booking.paymentId),
  paymentId: booking.paymentId,
  description: booking.description,
  sum: booking.amount,
  currency: booking.currency,
  fee: booking.fee,
  change: directionOf(booking.type) * booking.amount - booking.fee,
  createdAt: booking.createdAt,
  completedAt: booking.createdAt,
})

/** All that is over, in the order in which it was. */
export const reportLines = (books: Books): ReportLine[] =>
  [
    ...[...books.all()].flatMap(paymentLines),
    ...books.bookings.map((booking) => bookingLine(books, booking)),
  ].sort((one, other) => one.completedAt - other.completedAt || one.id - other.id)

/** What is on each currency's balance before an instant, in minor units. */
export const balancesBefore = (books: Books, before: number): Map<string, number> => {
  const balances = new Map<string, number>()
  for (const { currency, change, completedAt } of reportLines(books))
    balances.set(currency, (balances.get(currency) ?? 0) + (completedAt < before ? change : 0))
  return balances
}
