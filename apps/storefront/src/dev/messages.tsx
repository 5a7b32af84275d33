import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { ProgressLine } from '@hedgerow/ui/spinner.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { useState } from 'react'
import { Specimen } from '#dev/specimen.tsx'

export const Messages = () => {
  const toast = useToast()
  const [open, setOpen] = useState(false)
  return (
    <Specimen title="Messages">
      <Notice kind="info" title="We sent a link to ada@example.org">
        It works for 24 hours.
      </Notice>
      <Notice kind="done">Saved.</Notice>
      <Notice kind="warning" title="Two days left">
        Renew to keep this connection.
      </Notice>
      <Notice kind="problem" title="Your bank declined the card">
        Nothing was charged. Try another card or pay by bank.
      </Notice>
      <div className="flex gap-3">
        <Button variant="outline" onClick={() => toast('Copied')}>
          Show a toast
        </Button>
        <Button variant="outline" onClick={() => setOpen(true)}>
          Open a dialog
        </Button>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} title="Delete the account">
        <p>Your connections stop at once.</p>
        <Button className="mt-6" onClick={() => setOpen(false)}>
          Keep it
        </Button>
      </Dialog>
      <ProgressLine />
      <Skeleton />
      <EmptyState title="No connections yet" action={<Button>See the prices</Button>}>
        Please choose your price plan to use our service.
      </EmptyState>
    </Specimen>
  )
}
