import * as operators from '@hedgerow/contract/console/operators'
import { ROLE_WORDS } from '@hedgerow/domain/operator-roles'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { useState } from 'react'
import type { ReplyOf } from '#lib/api.ts'
import { CallAct } from '#shared/call-act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { useSession } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Operator = ReplyOf<'listOperators'>[number]
type Link = ReplyOf<'inviteOperator'>

const waysIn = ({ passkeys, hasPassword, endedAt, invitedUntil }: Operator) => {
  if (endedAt) return <Badge tone="quiet">ended</Badge>
  const ways = [
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
    ...(hasPassword ? ['password and app'] : []),
  ]
  if (ways.length > 0) return ways.join(', ')
  return <Badge tone="warning">{invitedUntil ? 'invited' : 'link has expired'}</Badge>
}

const REFRESHED = ['listOperators'] as const

const Acts = ({ operator, onLink }: { operator: Operator; onLink: (link: Link) => void }) => {
  const { id, role, endedAt } = operator
  if (endedAt) return null
  const shared = { params: { operatorId: id }, refreshes: REFRESHED }
  return (
    <div className="flex flex-wrap justify-end gap-1">
      <CallAct
        {...shared}
        call="setOperatorRole"
        endpoint={operators.setOperatorRole}
        label="Role"
        verb="Change"
        first={{ role }}
      />
      <CallAct
        {...shared}
        call="relinkOperator"
        endpoint={operators.relinkOperator}
        label="New link"
        verb="Create link"
        onDone={onLink}
      />
      <CallAct
        {...shared}
        call="endOperator"
        endpoint={operators.endOperator}
        label="End"
        verb="End"
        tone="danger"
      />
    </div>
  )
}

/** Who runs the shop, and what they may do. */
const OperatorsPage = () => {
  const listed = useData('listOperators', {})
  const { operator: me } = useSession()
  const [link, setLink] = useState<Link>()
  const invited = listed.data?.find(({ id }) => id === link?.id)?.name
  return (
    <Page
      title="Operators"
      lead="Everyone who can use this console, and what they may do."
      actions={
        <CallAct
          call="inviteOperator"
          endpoint={operators.inviteOperator}
          label="Invite"
          verb="Create link"
          tone="solid"
          refreshes={REFRESHED}
          onDone={setLink}
        />
      }
    >
      <Loaded query={listed}>
        {(rows) => (
          <Table
            caption="Operators"
            keyOf={({ id }) => id}
            rows={rows}
            columns={[
              {
                header: 'Name',
                isName: true,
                cell: ({ name, id }) => (
                  <>
                    {name} {id === me.id && <Badge tone="good">you</Badge>}
                  </>
                ),
              },
              { header: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
              { header: 'Logs in by', cell: waysIn },
              {
                header: 'Last seen',
                cell: ({ lastSeenAt }) => <Time at={lastSeenAt} as="ago" none="never" />,
              },
              {
                header: 'Acts',
                isBare: true,
                cell: (operator) => <Acts operator={operator} onLink={setLink} />,
              },
            ]}
          />
        )}
      </Loaded>
      <Dialog open={link !== undefined} onClose={() => setLink(undefined)} title={`A link for ${invited}`}>
        <p className="mb-3">
          It works once, for 48 hours, and is shown this once. Whoever has it becomes {invited}: give it to
          them and nobody else.
        </p>
        <p className="mb-4 font-mono text-sm wrap-anywhere">{link?.link}</p>
        {link && <CopyButton text={link.link} of="the link" />}
      </Dialog>
    </Page>
  )
}

export default OperatorsPage
