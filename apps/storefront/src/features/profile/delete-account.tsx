import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { type ReactNode, useState } from 'react'
import { DeleteAccountForm } from '#features/profile/delete-account-form.tsx'

type DeleteAccountProps = { email: string; warning: ReactNode; onDeleted: () => void }

export const DeleteAccount = ({ email, warning, onDeleted }: DeleteAccountProps) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="outline" onClick={() => setIsOpen(true)}>
        Delete my account
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Delete your account">
        <DeleteAccountForm
          email={email}
          warning={warning}
          onDeleted={onDeleted}
          onCancel={() => setIsOpen(false)}
        />
      </Dialog>
    </>
  )
}
