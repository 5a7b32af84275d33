import type { FastifyInstance } from 'fastify'
import type { Gateway } from '#gateway/gateway.ts'
import { money } from '#pages/dates-and-money.ts'
import { html } from '#pages/html.ts'
import { sendPage } from '#pages/page-reply.ts'
import { workbenchPage } from '#pages/workbench-page.ts'
import { dateOperations, readTimes } from '#settlement/date-operations.ts'
import { balancesBefore, reportLines } from '#settlement/operations.ts'
import { payOut } from '#settlement/pay-out.ts'
import { operationsCsv, presentOperation } from '#settlement/present-operation.ts'
import { readBooking } from '#settlement/read-booking.ts'

const page = (balances: Map<string, number>) =>
  workbenchPage(
    'Settlement',
    '/gate',
    html`<p class="quiet">What the gateway owes the shop, after its fees and what it has paid to the bank.</p>
<div class="sheet"><table><caption>Balances</caption>
<thead><tr><th>Currency</th><th class="amount">Balance</th></tr></thead>
<tbody>${[...balances].map(([currency, amount]) => html`<tr><td>${currency}</td><td class="amount">${money(amount, currency)}</td></tr>`)}</tbody>
</table></div>
<p style="margin-top: 1.5rem"><a href="/gate/operations.csv">All operations as CSV</a></p>
<form method="post" action="/gate/payouts"><button>Pay out now</button></form>
<h2>Something that only the gateway knows</h2>
<form method="post" action="/gate/bookings">
<label for="type">What it books</label>
<select id="type" name="type"><option>balance correction</option><option>service fee</option><option>sale</option><option>refund</option></select>
<label for="amount">Amount in minor units</label>
<input type="number" id="amount" name="amount" value="1000" required>
<label for="currency">Currency</label>
<input type="text" id="currency" name="currency" value="EUR" maxlength="3" required>
<p style="margin-top: 1rem"><button class="second">Book it</button></p></form>`,
  )

/** The gateway's balances, what it pays to the bank, and what it books by itself. */
export const settlementRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  const { books, settings } = gateway
  const isForm = (type: string | undefined) => type?.startsWith('application/x-www-form-urlencoded') ?? false

  app.get('/gate/settlement', (_request, reply) => sendPage(reply, page(balancesBefore(books, Infinity))))
  app.get('/gate/balances', () => Object.fromEntries(balancesBefore(books, Infinity)))

  app.get('/gate/operations.csv', (_request, reply) => {
    const operations = reportLines(books).map((line) => presentOperation(line, settings.projectId, 'UTC'))
    return reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', 'attachment; filename="operations.csv"')
      .send(operationsCsv(operations))
  })

  app.put('/gate/operations/times', (request, reply) => {
    const times = readTimes(request.body)
    if (!times) return reply.code(400).send({ error: 'The body must tell times by the ids of operations' })
    dateOperations(books, times)
    return reply.code(204).send()
  })

  app.post('/gate/payouts', (request, reply) => {
    const paid = payOut(gateway)
    return isForm(request.headers['content-type']) ? reply.redirect('/gate/settlement', 303) : paid
  })

  app.post('/gate/bookings', (request, reply) => {
    const booking = readBooking(request.body, gateway.nextOperationId())
    if (typeof booking === 'string') return reply.code(400).send({ error: booking })
    if (!books.book(booking)) return reply.code(400).send({ error: 'There are too many bookings' })
    return isForm(request.headers['content-type']) ? reply.redirect('/gate/settlement', 303) : booking
  })
}
