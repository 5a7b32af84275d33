import type { Mail } from '#mail/mail.ts'
import { shortDate } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'
import { refreshEvery, workbenchPage } from '#pages/workbench-page.ts'

/** How many mails the page lists. */
export const SHOWN = 200

const row = (mail: Mail): Html => html`
<li><a href="/mail/${mail.id}"><strong>${mail.subject || '(no subject)'}</strong></a>
<span class="to">${mail.to.join(', ')}</span>
<span class="quiet">${shortDate(mail.date)}${mail.attachments.length > 0 && html`<br>${attachmentCount(mail)}`}</span></li>`

const attachmentCount = ({ attachments: { length } }: Mail): string =>
  `${length} ${length === 1 ? 'attachment' : 'attachments'}`

const STYLE = html`<style>
.mails { list-style: none; margin: 0; padding: 0 }
.mails li { position: relative; display: grid; grid-template-columns: 1fr; padding: .75rem 1rem }
.mails li + li { border-top: 1px solid var(--line) }
.mails li:hover { background: color-mix(in srgb, var(--accent) 7%, transparent) }
.mails a { color: inherit; text-decoration: none; overflow-wrap: anywhere }
.mails a::after { content: ''; position: absolute; inset: 0 }
.mails .to { overflow-wrap: anywhere }
@media (min-width: 48rem) { .mails li { grid-template-columns: 1fr 18rem 8rem; gap: 1.5rem } }
</style>`

export const inboxPage = (mails: Mail[], recipient: string | undefined): Html =>
  workbenchPage(
    'Inbox',
    '/mail',
    html`<p class="quiet">${
      recipient
        ? html`Mail to ${recipient}. <a href="/mail">Show everyone’s</a>`
        : 'Every mail the shop sends arrives here, whoever it is for.'
    }</p>
${
  mails.length > 0
    ? html`<ol class="sheet mails">${mails.map(row)}</ol>`
    : html`<p>No mail yet. Sign up in the shop, and its message appears here by itself.</p>`
}`,
    html`${refreshEvery(4)}${STYLE}`,
  )
