import type { FormToSend } from '#features/payments/send-form.ts'
import { sendForm } from '#features/payments/send-form.ts'
import { Button } from '#ui/button.tsx'
import { ProgressLine } from '#ui/spinner.tsx'

/** For who has come back from the bank before the bank has told us anything; they may have left without an answer. */
export const WaitingForBank = ({ form }: { form: FormToSend }) => (
  <>
    <ProgressLine label="We are waiting for your bank’s word. Please keep this page open." />
    <div className="mt-8 rounded-card border border-line bg-surface p-5 text-left">
      <p>If you have approved the payment, there is nothing more to do.</p>
      <p className="mt-1 text-quiet-ink">
        If you have not, you can go back and do it now. You pay only once.
      </p>
      <Button variant="outline" className="mt-4 w-full" onClick={() => sendForm(form)}>
        Go to your bank’s page again
      </Button>
    </div>
  </>
)
