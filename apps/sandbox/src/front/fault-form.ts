import type { CallbackFormat, Faults, SaleFault, ShareName } from '#faults/faults.ts'
import { shareOf } from '#faults/faults.ts'
import { type Html, html } from '#pages/html.ts'

type Field = { name: keyof Faults; label: string; hint?: string }

const labelled = ({ name, label, hint }: Field, control: Html): Html => html`
<div class="field"><label for="${name}">${label}</label>
${control}${
  hint &&
  html`
<span class="quiet hint" id="${name}-hint">${hint}</span>`
}</div>`

const describedBy = ({ name, hint }: Field): Html | undefined =>
  hint === undefined ? undefined : html` aria-describedby="${name}-hint"`

type NumberField = Field & { value: number | null; max: number; step?: string }

const number = (field: NumberField): Html =>
  labelled(
    field,
    html`<input type="number" id="${field.name}" name="${field.name}" value="${field.value ?? ''}" min="0" max="${field.max}" step="${field.step ?? '1'}"${describedBy(field)}>`,
  )

const MOST_MS = 600_000

const share = (faults: Faults, name: ShareName, label: string, hint?: string): Html =>
  number({ name, value: shareOf(faults[name]), label, max: 1, step: '0.01', ...(hint && { hint }) })

const choice = (field: Field, chosen: string, labels: Record<string, string>): Html =>
  labelled(
    field,
    html`<select id="${field.name}" name="${field.name}"${describedBy(field)}>${Object.entries(labels).map(
      ([value, label]) =>
        html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
    )}</select>`,
  )

const SALE_FAULT_LABELS: Record<SaleFault, string> = {
  none: 'Nothing: they are accepted',
  '500': 'The gateway answers 500',
  hang: 'The gateway never answers',
  'drop-before-accept': 'The connection breaks and the sale is lost',
  'drop-after-accept': 'The sale is accepted, but the answer is lost',
}

const FORMAT_LABELS: Record<CallbackFormat | 'mixed', string> = {
  merchant: 'Merchant default',
  'general-signature': 'The same, with the signature in “general”',
  terminal: 'Terminal (“161”)',
  mixed: 'Mixed, one format per payment',
}

const group = (legend: string, fields: Html): Html => html`
<fieldset><legend>${legend}</legend><div class="pair">${fields}</div></fieldset>`

const callbackFields = (faults: Faults): Html => html`
${share(faults, 'dropCallbacks', 'Lost', 'The shop is never told and has to ask.')}
${share(faults, 'reorderCallbacks', 'Out of order', 'After the outcome, ‘processing’ arrives once more.')}
${share(faults, 'forgeCallbacks', 'Forged', 'A badly signed success arrives ahead of the true one.')}
${share(faults, 'wrongSums', 'With a wrong amount', 'Correctly signed, ‘processing’ and for 0.01. It arrives ahead of the true one.')}
${share(faults, 'duplicateRate', 'Repeated')}
${number({ name: 'duplicateCallbacks', value: faults.duplicateCallbacks, label: 'Extra copies of each', max: 10 })}
${share(faults, 'lateCallbacks', 'Late')}
${number({ name: 'lateFromMs', value: faults.lateFromMs, label: 'Late by at least, in ms', max: MOST_MS })}
${number({ name: 'lateToMs', value: faults.lateToMs, label: 'Late by at most, in ms', max: MOST_MS })}
${choice({ name: 'callbackFormat', label: 'Format' }, faults.callbackFormat, FORMAT_LABELS)}
${number({
  name: 'callbackDelayMs',
  value: faults.callbackDelayMs,
  label: 'Time to an outcome, in ms',
  hint: 'Empty: the value it was started with.',
  max: MOST_MS,
})}`

const callFields = (faults: Faults): Html => html`
${share(faults, 'failCalls', 'Answered with 500')}
${share(faults, 'hangCalls', 'Never answered')}
${share(faults, 'hangStatus', 'Status never answered', 'Other calls are answered.')}
${share(faults, 'dropCallsBeforeAccept', 'Connection broken before the call is accepted')}
${share(faults, 'dropCallsAfterAccept', 'Accepted, but the answer is lost')}
${choice({ name: 'failSales', label: 'What happens to sales' }, faults.failSales, SALE_FAULT_LABELS)}
${share(faults, 'failRate', 'To what share of sales')}`

const otherFields = (faults: Faults): Html => html`
${share(faults, 'hideStatus', 'Status not available', 'Answered with 3062 for a while after each change.')}
${number({ name: 'hideStatusMs', value: faults.hideStatusMs, label: 'For how long, in ms', max: MOST_MS })}
${share(faults, 'secondChallenge', 'Bank asks twice', 'After the first approval the bank asks again.')}
${labelled(
  {
    name: 'seed',
    label: 'Seed',
    hint: 'The same seed gives the same payments the same faults. Setting it starts again; empty means random.',
  },
  html`<input type="text" id="seed" name="seed" value="${faults.seed ?? ''}" maxlength="100" aria-describedby="seed-hint">`,
)}`

const endFields = (faults: Faults): Html => html`
${share(faults, 'endExpired', 'Expired')}
${share(faults, 'endCancelled', 'Cancelled')}
${share(faults, 'endWithInternalError', 'Internal error')}
${share(faults, 'endWithExternalError', 'External error')}
${share(faults, 'endReversed', 'Reversed')}
${share(faults, 'endPartlyPaid', 'Partially paid')}
${share(faults, 'payOtherSums', 'Paid with a different amount', 'Less, more, or in another currency.')}
${share(faults, 'confirmLater', 'Promised first', 'Success is reported only once the money has arrived.')}
${share(faults, 'confirmNever', 'Promised but never paid', 'Share of the promised payments.')}
${number({
  name: 'confirmAfterMs',
  value: faults.confirmAfterMs,
  label: 'Time from promise to payment, in ms',
  hint: 'Empty: like any outcome.',
  max: MOST_MS,
})}`

export const faultForm = (faults: Faults): Html => html`
<form class="sheet faults" method="post" action="/gate/faults">
${group('Callbacks', callbackFields(faults))}
${group('Calls', callFields(faults))}
${group('Payments', otherFields(faults))}
${group('How payments end', endFields(faults))}
<div class="buttons"><button>Set faults</button><button class="second" name="clear" value="yes">Clear all</button></div>
</form>`
