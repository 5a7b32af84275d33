import { Button } from '@hedgerow/ui/button.tsx'
import { ProgressLine } from '@hedgerow/ui/spinner.tsx'
import { type HiddenForm, submitForm } from '#features/payment-result/hidden-form.ts'

/** For a customer who is back from the bank before the bank's answer; they may have left without giving theirs. */
export const WaitingForBank = ({ form }: { form: HiddenForm }) => (
  <>
    <ProgressLine label="We are waiting to hear from your bank. Please keep this page open." />
    <div className="mt-8 rounded-card border border-line bg-surface p-5 text-left">
      <p>If you have approved the payment, there is nothing more to do.</p>
      <p className="mt-1 text-quiet-ink">
        If you have not, you can go back and do it now. You pay only once.
      </p>
      <Button variant="outline" className="mt-4 w-full" onClick={() => submitForm(form)}>
        Go to your bank’s page again
      </Button>
    </div>
  </>
)
