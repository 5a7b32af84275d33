import { groupDigits } from '#card/card-number.ts'
import { OWN_CARDS, TEST_CARDS, type TestCard } from '#card/test-cards.ts'
import type { Faults } from '#faults/faults.ts'
import { bankTable, blikTable, viesTable } from '#front/customer-tables.ts'
import { faultForm } from '#front/fault-form.ts'
import { type Html, html } from '#pages/html.ts'
import { workbenchPage } from '#pages/workbench-page.ts'

export type Overview = {
  carriers: Html | undefined
  faults: Faults
  payments: number
  checkouts: number
  stripeKey: string
  invoices: number
  btcpayStore: string
  btcpayKey: string
  mails: number
  url: string
  smtp: string
  projectId: number
}

const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en-GB')} ${thing}${count === 1 ? '' : 's'}`

const cardTable = (caption: string, cards: readonly TestCard[]): Html => html`<div class="sheet"><table>
<caption>${caption}</caption>
<thead><tr><th>Number</th><th>Brand</th><th>What happens</th></tr></thead>
<tbody>${cards.map(
  ({ pan, brand, description }) => html`
<tr><td class="number">${groupDigits(pan)}</td><td class="quiet">${brand}</td><td class="line">${description}</td></tr>`,
)}</tbody>
</table></div>`

export const frontPage = (overview: Overview): Html =>
  workbenchPage(
    'The shop’s outside world',
    '/',
    html`<p>The sandbox stands in for the outside world: the payment gateway with its cards and banks, Stripe with
its checkout, a BTCPay Server, the company’s bank, and the mail system with everyone’s inbox. The shop talks to them as it would to the real ones. No money moves and no mail
leaves this machine.</p>
<ul class="tiles">
<li><a href="/mail">Inbox</a><span>${counted(overview.mails, 'message')} to all addresses</span></li>
<li><a href="/gate">Books</a><span>${counted(overview.payments, 'payment')} at the gateway</span></li>
<li><a href="/stripe">Stripe</a><span>${counted(overview.checkouts, 'checkout session')}</span></li>
<li><a href="/btcpay">BTCPay</a><span>${counted(overview.invoices, 'invoice')}</span></li>
<li><a href="/bank">Bank</a><span>answers files that pay partners</span></li>
</ul>
${overview.carriers}
<h2 id="cards">Test cards</h2>
<p class="quiet">The number alone decides. Use any name, any future expiry date and any three digits as the security code.
Any other number is paid if its check digit is right.</p>
${cardTable('Published test cards', TEST_CARDS)}
<p class="quiet" style="margin-top: 1rem">These cards are the sandbox’s own, for steps of the protocol that no published number leads to.</p>
${cardTable('The sandbox’s own test cards', OWN_CARDS)}
<h2 id="stripe">Stripe</h2>
<p class="quiet">Cards that Stripe carries are typed on <a href="/stripe">Stripe’s</a> page, which lists its own test cards.</p>
<h2 id="banks">Open Banking</h2>
<p class="quiet">On the bank’s page you approve, refuse or leave without an answer. The gateway makes no refunds this way.</p>
${bankTable}
<h2 id="blik">Blik</h2>
<p class="quiet">Paid in złoty only, on a page that asks for a six-digit code.</p>
${blikTable}
<h2 id="refunds">Refunds</h2>
<p class="quiet">On the day of the sale, a Visa or Amex payment is reversed, and any other card payment is reversed if the whole
amount is refunded. Everything else is refunded. An amount that ends in .13 is declined with 3028 (no balance left).</p>
<h2 id="vies">VAT numbers</h2>
<p class="quiet">The EU’s register (VIES). A number in the form of its country decides by its last digits, wherever letters stand:
DE123456789 is known, DE123456200 is not.</p>
${viesTable}
<h2 id="faults">Faults</h2>
<p class="quiet">What can go wrong between a shop and its gateway, and for what share of payments or calls: 0 is never, 1 is always.</p>
${faultForm(overview.faults)}
<h2>Where the shop reaches it</h2>
<dl class="facts">
<div><dt>Gateway</dt><dd><code>${overview.url}</code>, project <code>${overview.projectId}</code></dd></div>
<div><dt>Stripe</dt><dd><code>${overview.url}</code>, key <code>${overview.stripeKey}</code></dd></div>
<div><dt>BTCPay</dt><dd><code>${overview.url}</code>, store <code>${overview.btcpayStore}</code>, key <code>${overview.btcpayKey}</code></dd></div>
<div><dt>VIES</dt><dd><code>${overview.url}/taxation_customs/vies</code></dd></div>
<div><dt>Mail server</dt><dd><code>${overview.smtp}</code></dd></div>
<div><dt>For programs</dt><dd><a href="/mail/messages"><code>/mail/messages</code></a>,
<a href="/gate/payments"><code>/gate/payments</code></a>,
<a href="/gate/totals"><code>/gate/totals</code></a>, <a href="/gate/faults"><code>/gate/faults</code></a></dd></div>
</dl>`,
    html`<style>
.tiles { list-style: none; margin: 1.5rem 0 0; padding: 0; display: grid; gap: .75rem }
.tiles li { position: relative; background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; padding: .875rem 1rem }
.tiles li:hover { border-color: var(--accent) }
.tiles a { display: block; font-weight: 600; font-size: 1.125rem }
.tiles a::after { content: ''; position: absolute; inset: 0 }
.tiles span { color: var(--quiet) }
.facts { margin: 0 } .facts div { padding: .375rem 0 } .facts dt { font-size: .875rem; color: var(--quiet) } .facts dd { margin: 0 }
@media (min-width: 40rem) { .tiles { grid-template-columns: repeat(4, 1fr) } .facts div { display: grid; grid-template-columns: 9rem 1fr } }
.faults { padding: 1rem } .faults fieldset { border: 0; margin: 0 0 1.25rem; padding: 0 } .faults legend { font-weight: 600; padding: 0; margin-bottom: .5rem }
.field { padding: .5rem 0 } .hint { display: block; font-size: .875rem }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem }
@media (min-width: 40rem) { .faults .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem; max-width: 44rem } }
</style>`,
  )
