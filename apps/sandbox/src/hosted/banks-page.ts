import { backLink, hostedPage, pageFacts } from '#hosted/page-brand.ts'
import type { PageQuery } from '#hosted/page-query.ts'
import { CONSENT_TEXT } from '#next-actions/clarifications.ts'
import type { Country } from '#open-banking/banks.ts'
import { type Html, html } from '#pages/html.ts'

const banksOf = ({ name, banks }: Country): Html => html`
<fieldset class="actions"><legend>${name}</legend>${banks.map(
  (bank) => html`
<button class="refuse" name="bank_id" value="${bank.id}">${bank.name}</button>`,
)}
</fieldset>`

/** Where the shop does not say which bank: it is chosen here. */
export const banksPage = (
  query: PageQuery,
  countries: readonly Country[],
  merchantName: string,
  action: string,
  problem?: string,
): Html =>
  hostedPage(
    'Choose your bank',
    html`${problem && html`<p class="alarm" role="alert">${problem}</p>`}
${pageFacts(query, merchantName)}
<p>By choosing a bank you agree: “${CONSENT_TEXT}”</p>
<form method="post" action="${action}" class="actions">${countries.map(banksOf)}
${backLink(query)}
</form>`,
    'None of these banks is involved.',
  )
