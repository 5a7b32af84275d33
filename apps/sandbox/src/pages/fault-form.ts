import type { Faults, SaleFault } from '#gateway/faults.ts'
import { type Html, html } from '#pages/html.ts'

const tick = (name: keyof Faults, isOn: boolean, label: string, hint: string): Html => html`
<label class="tick"><input type="checkbox" name="${name}"${isOn && html` checked`}>
<span>${label}<br><span class="quiet">${hint}</span></span></label>`

type NumberField = { name: keyof Faults; value: number | null; label: string; max: number; step?: string }

const number = ({ name, value, label, max, step }: NumberField): Html => html`
<div class="field"><label for="${name}">${label}</label>
<input type="number" id="${name}" name="${name}" value="${value ?? ''}" min="0" max="${max}" step="${step ?? '1'}"></div>`

const SALE_FAULT_LABELS: Record<SaleFault, string> = {
  none: 'Nothing: they are accepted',
  '500': 'The gateway answers 500',
  hang: 'The gateway never answers',
  'drop-after-accept': 'The sale is taken, but the answer is lost',
}

const saleFault = (chosen: SaleFault): Html => html`
<div class="field"><label for="failSales">What happens to sales</label>
<select id="failSales" name="failSales">${Object.entries(SALE_FAULT_LABELS).map(
  ([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
)}</select></div>`

export const faultForm = (faults: Faults): Html => html`
<form class="sheet faults" method="post" action="/gate/faults">
<fieldset><legend>Callbacks</legend>
${tick('dropCallbacks', faults.dropCallbacks, 'Lost', 'The shop is never told and has to ask.')}
${tick('reorderCallbacks', faults.reorderCallbacks, 'Out of order', 'After the outcome, ‘processing’ arrives once more.')}
${tick('forgeCallbacks', faults.forgeCallbacks, 'Forged', 'A badly signed success arrives ahead of each true one.')}
<div class="pair">
${number({ name: 'duplicateCallbacks', value: faults.duplicateCallbacks, label: 'Extra copies of each', max: 10 })}
${number({ name: 'callbackDelayMs', value: faults.callbackDelayMs, label: 'Delay in ms (empty: as started)', max: 600_000 })}
</div></fieldset>
<fieldset><legend>Sales</legend>
<div class="pair">
${saleFault(faults.failSales)}
${number({ name: 'failRate', value: faults.failRate, label: 'To what share of them (0 to 1)', max: 1, step: '0.01' })}
</div></fieldset>
<fieldset><legend>3-D Secure</legend>
${tick('secondChallenge', faults.secondChallenge, 'Asked twice', 'After the first approval the bank asks again.')}
</fieldset>
<div class="buttons"><button>Set faults</button><button class="second" name="clear" value="yes">Clear all</button></div>
</form>`
