import { type HiddenForm, submitForm } from '#features/payment-result/hidden-form.ts'
import { Button } from '#ui/button.tsx'
import { ProgressLine } from '#ui/spinner.tsx'

/** Before the customer leaves for a host that the shop does not know: whose it is, they can tell better. */
export const LeaveForBank = ({ form }: { form: HiddenForm }) => {
  const { host } = new URL(form.action)
  return (
    <>
      <p className="mb-6 rounded-card border border-line bg-surface p-4">
        <span className="block text-sm text-quiet-ink">The page is at</span>
        <span className="font-medium wrap-anywhere">{host}</span>
      </p>
      <Button className="mb-6 w-full" onClick={() => submitForm(form)}>
        Continue
      </Button>
      <ProgressLine label="If you have approved the payment there already, there is nothing more to do. This page will carry on by itself." />
    </>
  )
}
