import * as contract from '@hedgerow/contract/console/second-persons'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { useState } from 'react'
import type { ReplyOf } from '#lib/api.ts'
import { CallAct } from '#shared/call-act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Waiting = ReplyOf<'listSecondPersons'>[number]

const REFRESHED = ['listSecondPersons'] as const

const Acts = ({ waiting, onLink }: { waiting: Waiting; onLink: (link: string) => void }) => {
  const { id, isMine, mayConfirm } = waiting
  const shared = { params: { secondPersonId: id }, refreshes: REFRESHED }
  return (
    <div className="flex flex-wrap justify-end gap-1">
      {mayConfirm && (
        <CallAct
          {...shared}
          call="confirmSecondPerson"
          endpoint={contract.confirmSecondPerson}
          label="Confirm"
          tone="solid"
          says={({ isNew }: ReplyOf<'confirmSecondPerson'>) =>
            isNew ? 'Confirmed and done' : 'It was already done'
          }
          onDone={({ link }: ReplyOf<'confirmSecondPerson'>) => link && onLink(link)}
        />
      )}
      <CallAct
        {...shared}
        call="withdrawSecondPerson"
        endpoint={contract.withdrawSecondPerson}
        label={isMine ? 'Withdraw' : 'Refuse'}
        tone="danger"
      />
    </div>
  )
}

const Exactly = ({ facts }: Pick<Waiting, 'facts'>) => (
  <dl className="space-y-1 text-sm">
    {Object.entries(facts).map(([name, value]) => (
      <div key={name} className="flex gap-2">
        <dt className="text-quiet-ink">{name}</dt>
        <dd className="wrap-anywhere">{value === true ? 'yes' : String(value)}</dd>
      </div>
    ))}
  </dl>
)

/** What takes two people, and waits for the second. */
const SecondPersonPage = () => {
  const listed = useData('listSecondPersons', {})
  const [link, setLink] = useState<string>()
  return (
    <Page
      title="Second person"
      lead="Changes of owners, the limits of what one operator may give back, and sums above them take two operators. A confirmed change is made at once, exactly as it is shown here."
    >
      <Loaded query={listed}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="Nothing to confirm">Requests stay here for 72 hours.</EmptyState>
          ) : (
            <Table
              caption="Waiting for a second person"
              keyOf={({ id }) => id}
              rows={rows}
              columns={[
                { header: 'What', isName: true, cell: ({ what }) => what },
                { header: 'Details', cell: ({ facts }) => <Exactly facts={facts} /> },
                {
                  header: 'Asked',
                  cell: ({ asker, askedAt, isMine }) => (
                    <>
                      {isMine ? 'by you' : `by ${asker}`}, <Time at={askedAt} as="ago" />
                    </>
                  ),
                },
                {
                  header: 'Waiting',
                  cell: ({ expiresAt, aloneFrom, isMine, mayConfirm }) => (
                    <>
                      until <Time at={expiresAt} />
                      {isMine && aloneFrom && !mayConfirm && (
                        <p className="text-sm text-quiet-ink">
                          No one else can confirm it. You may from <Time at={aloneFrom} />
                        </p>
                      )}
                    </>
                  ),
                },
                {
                  header: 'Acts',
                  isBare: true,
                  cell: (waiting) => <Acts waiting={waiting} onLink={setLink} />,
                },
              ]}
            />
          )
        }
      </Loaded>
      <Dialog open={link !== undefined} onClose={() => setLink(undefined)} title="A link for the new owner">
        <p className="mb-3">
          It works once, for 48 hours, and is shown this once. Whoever has it becomes that operator: give it
          to them only.
        </p>
        <p className="mb-4 font-mono text-sm wrap-anywhere">{link}</p>
        {link && <CopyButton text={link} of="the link" />}
      </Dialog>
    </Page>
  )
}

export default SecondPersonPage
