import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { useState } from 'react'
import { api } from '#lib/api.ts'
import { Act } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { useMay } from '#shared/session.tsx'
import { useData } from '#shared/use-data.ts'

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
      <Act
        label="New saved reply"
        title="A reply for questions that come often"
        may="applications.decide"
        verb="Keep"
        fields={[
          { name: 'title', label: 'Title' },
          {
            name: 'text',
            label: 'Reply',
            kind: 'words',
            most: 5_000,
            hint: '{name} and {operator} are filled in when it is sent',
          },
        ]}
        run={({ title = '', text = '' }) => api.call('addCannedReply', { body: { title, text } })}
        done="Kept"
        refreshes={['listCannedReplies']}
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
                    <Act
                      label="Remove"
                      title={`Remove ‘${title}’?`}
                      tone="quiet"
                      verb="Remove"
                      run={() => api.call('removeCannedReply', { params: { replyId: id } })}
                      done="Removed"
                      refreshes={['listCannedReplies']}
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
