import { Button } from '@hedgerow/ui/button.tsx'
import { ProgressLine } from '@hedgerow/ui/spinner.tsx'
import { type HiddenForm, submitForm } from '#features/payment-result/hidden-form.ts'

const AT_BANK = {
  waits: 'We are waiting to hear from your bank. Please keep this page open.',
  done: 'If you have approved the payment, there is nothing more to do.',
  undone: 'If you have not, you can go back and do it now. You pay only once.',
  again: 'Go to your bank’s page again',
}
const IN_BITCOIN = {
  waits: 'We are waiting for your payment to arrive. Please keep this page open.',
  done: 'If you have sent the full amount, there is nothing more to do.',
  undone: 'If you have not, or sent only part of it, go back: the page shows what is left to send.',
  again: 'Go to the payment page again',
}

const IN_PART = {
  ...IN_BITCOIN,
  waits: 'Part of your payment has arrived. We are waiting for the rest. Please keep this page open.',
  done: 'If you have sent the rest, there is nothing more to do.',
  undone: 'If you have not, go back: the page shows what is left to send, and how long you have.',
}

type WaitingForBankProps = { form: HiddenForm; isCrypto: boolean; isPart: boolean }

const wordsFor = (isCrypto: boolean, isPart: boolean) => {
  if (!isCrypto) return AT_BANK
  return isPart ? IN_PART : IN_BITCOIN
}

/** For a customer who is back from the bank before the bank's answer; they may have left without giving theirs. */
export const WaitingForBank = ({ form, isCrypto, isPart }: WaitingForBankProps) => {
  const { waits, done, undone, again } = wordsFor(isCrypto, isPart)
  return (
    <>
      <ProgressLine label={waits} />
      <div className="mt-8 rounded-card border border-line bg-surface p-5 text-left">
        <p>{done}</p>
        <p className="mt-1 text-quiet-ink">{undone}</p>
        <Button variant="outline" className="mt-4 w-full" onClick={() => submitForm(form)}>
          {again}
        </Button>
      </div>
    </>
  )
}
