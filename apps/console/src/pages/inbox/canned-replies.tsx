import * as inbox from '@hedgerow/contract/console/inbox'
import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { useState } from 'react'
import { CallAct } from '#shared/call-act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { useMay } from '#shared/session.tsx'
import { useData } from '#shared/use-data.ts'

const REFRESHED = ['listCannedReplies'] as const

/** Answers that are given often, for those who look after them. */
export const CannedReplies = () => {
  const [isOpen, setOpen] = useState(false)
  const may = useMay()
  const canned = useData('listCannedReplies', {})
  if (!may('applications.decide')) return null
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        Saved replies
      </Button>
      <CallAct
        call="addCannedReply"
        endpoint={inbox.addCannedReply}
        label="New saved reply"
        verb="Save"
        refreshes={REFRESHED}
      />
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Saved replies">
        <Loaded query={canned}>
          {(replies) =>
            replies.length === 0 ? (
              <p>None yet.</p>
            ) : (
              <ul className="divide-y divide-line">
                {replies.map(({ id, title, text }) => (
                  <li key={id} className="py-3">
                    <p className="font-medium">{title}</p>
                    <p className="text-sm whitespace-pre-wrap text-quiet-ink">{text}</p>
                    <CallAct
                      call="removeCannedReply"
                      endpoint={inbox.removeCannedReply}
                      label="Remove"
                      params={{ replyId: id }}
                      refreshes={REFRESHED}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Dialog>
    </>
  )
}
