import { OPERATOR_ROLES, type OperatorRole, ROLE_WORDS } from '@hedgerow/domain/operator-roles'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { useState } from 'react'
import { api, type ReplyOf } from '#lib/api.ts'
import { Act } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { useSession } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Operator = ReplyOf<'listOperators'>[number]
type Link = { name: string; link: string }

const ROLES = OPERATOR_ROLES.map((role) => [role, ROLE_WORDS[role]] as const)

const waysIn = ({ passkeys, hasPassword, endedAt, invitedUntil }: Operator) => {
  if (endedAt) return <Badge tone="quiet">ended</Badge>
  const ways = [
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
    ...(hasPassword ? ['password and app'] : []),
  ]
  if (ways.length > 0) return ways.join(', ')
  return <Badge tone="warning">{invitedUntil ? 'invited' : 'link has expired'}</Badge>
}

const Acts = ({ operator, onLink }: { operator: Operator; onLink: (link: Link) => void }) => {
  const { id, name, role, endedAt } = operator
  if (endedAt) return null
  const shared = { may: 'operators.change', tone: 'quiet', refreshes: ['listOperators'] } as const
  const params = { operatorId: id }
  return (
    <div className="flex flex-wrap justify-end gap-1">
      <Act
        {...shared}
        label="Role"
        title={`What may ${name} do?`}
        verb="Change"
        fields={[{ name: 'role', label: 'Role', kind: 'choice', options: ROLES, first: role }]}
        run={({ role: next }) =>
          api.call('setOperatorRole', { params, body: { role: next as OperatorRole } })
        }
        done={`${name} has another role`}
      >
        <p>It holds from their next call on.</p>
      </Act>
      <Act
        {...shared}
        label="New link"
        title={`Give ${name} a new link?`}
        run={async () => onLink({ name, link: (await api.call('relinkOperator', { params })).link })}
      >
        <p>
          For somebody who has lost what they log in with. Their passkeys, password, sessions and tokens end
          at once.
        </p>
      </Act>
      <Act
        {...shared}
        label="End"
        title={`End ${name}?`}
        tone="danger"
        verb="End"
        run={() => api.call('endOperator', { params })}
        done={`${name} gets in no more`}
      >
        <p>They get in no more, from this moment on. Their name stays in the record.</p>
      </Act>
    </div>
  )
}

/** Who runs the shop, and what they may do. */
const OperatorsPage = () => {
  const operators = useData('listOperators', {})
  const { operator: me } = useSession()
  const [link, setLink] = useState<Link>()
  return (
    <Page
      title="Operators"
      lead="Who runs the shop from here, and what they may do."
      actions={
        <Act
          label="Invite"
          title="Invite an operator"
          tone="solid"
          may="operators.change"
          verb="Make a link"
          fields={[
            { name: 'name', label: 'Name', hint: 'As the record and customers’ conversations know them' },
            { name: 'role', label: 'Role', kind: 'choice', options: ROLES },
          ]}
          run={async ({ name = '', role }) => {
            const invited = await api.call('inviteOperator', { body: { name, role: role as OperatorRole } })
            setLink({ name, link: invited.link })
          }}
          refreshes={['listOperators']}
        />
      }
    >
      <Loaded query={operators}>
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
      <Dialog open={link !== undefined} onClose={() => setLink(undefined)} title={`A link for ${link?.name}`}>
        <p className="mb-3">
          It works once, for 48 hours, and is shown this once. Whoever has it becomes {link?.name}: give it to
          them and nobody else.
        </p>
        <p className="mb-4 font-mono text-sm wrap-anywhere">{link?.link}</p>
        {link && <CopyButton text={link.link} of="the link" />}
      </Dialog>
    </Page>
  )
}

export default OperatorsPage
