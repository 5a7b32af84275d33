import type { Mail, MailAttachment } from '#mail/mail.ts'
import { attachmentPath } from '#mail/present-mail.ts'
import { shortDate } from '#pages/dates-and-money.ts'
import { type Html, html } from '#pages/html.ts'
import { workbenchPage } from '#pages/workbench-page.ts'

const FRAME_RIGHTS = 'allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation'

const sizeOf = (bytes: number): string => (bytes < 1_024 ? `${bytes} B` : `${Math.ceil(bytes / 1_024)} KB`)

const attachmentItem = (mail: Mail, attachment: MailAttachment, index: number): Html => {
  const path = attachmentPath(mail, index)
  const isPicture = /^image\/(?:png|jpeg|gif|webp)$/.test(attachment.contentType)
  return html`<li>${isPicture && html`<img src="${path}" alt="" width="96" height="96">`}
<a href="${path}">${attachment.filename}</a> <span class="quiet">${sizeOf(attachment.size)}</span></li>`
}

const attachments = (mail: Mail): Html => html`<h2>Attachments</h2>
<ul class="files">${mail.attachments.map((attachment, i) => attachmentItem(mail, attachment, i))}</ul>`

const LINK = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g

/** The text part with its addresses made clickable, since many links are only there. */
const linkedText = (text: string): (Html | string)[] => {
  const parts: (Html | string)[] = []
  let end = 0
  for (const { 0: url, index } of text.matchAll(LINK)) {
    parts.push(text.slice(end, index), html`<a href="${url}" target="_blank" rel="noopener">${url}</a>`)
    end = index + url.length
  }
  return [...parts, text.slice(end)]
}

const STYLE = html`<style>
.facts { margin: 0 0 1rem } .facts div { display: grid; grid-template-columns: 4rem 1fr } .facts dt { color: var(--quiet) }
.facts dd { margin: 0; overflow-wrap: anywhere }
iframe { display: block; width: 100%; height: min(40rem, 65vh); border: 0; background: #fff; color-scheme: light }
pre { margin: 0; padding: 1rem; font: .9375rem/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere }
.files { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem } .files li { overflow-wrap: anywhere }
.files img { display: block; background: #fff; border: 1px solid var(--line); object-fit: contain; margin-bottom: .25rem }
</style>`

export const messagePage = (mail: Mail): Html =>
  workbenchPage(
    mail.subject || '(no subject)',
    undefined,
    html`<dl class="facts">
<div><dt>From</dt><dd>${mail.from}</dd></div>
${mail.replyTo ? html`<div><dt>Reply to</dt><dd>${mail.replyTo}</dd></div>` : ''}
<div><dt>To</dt><dd>${mail.to.join(', ')}</dd></div>
<div><dt>Date</dt><dd>${shortDate(mail.date)}</dd></div>
</dl>
${mail.attachments.length > 0 && attachments(mail)}
${
  mail.html &&
  html`<h2>As HTML</h2>
<div class="sheet"><iframe title="The message" src="/mail/messages/${mail.id}/html" sandbox="${FRAME_RIGHTS}"></iframe></div>`
}
<h2>As text</h2>
<div class="sheet"><pre>${mail.text ? linkedText(mail.text) : 'This mail has no text part.'}</pre></div>
<p style="margin-top: 1.5rem"><a href="/mail">All mail</a></p>`,
    STYLE,
  )
