import { PERMISSIONS, ROLE_WORDS } from '@hedgerow/domain/operator-roles'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { Button } from '@hedgerow/ui/button.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { forgetPasskey, makePasskey, passkeyMessageOf } from '@hedgerow/web/passkey.ts'
import { useState } from 'react'
import { api, type ReplyOf } from '#lib/api.ts'
import { Act } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { PasswordAndApp } from '#shared/password-and-app.tsx'
import { Section } from '#shared/section.tsx'
import { useMay, useSession } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { useData, useRefresh } from '#shared/use-data.ts'

type Account = ReplyOf<'getOwnAccount'>

const AddPasskey = () => {
  const toast = useToast()
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  const add = async () => {
    setBusy(true)
    try {
      const made = await makePasskey(await api.call('beginOperatorPasskey', {}))
      await api.call('addOperatorPasskey', { body: { ...made, name: '' } })
      await refresh('getOwnAccount')
      toast('Passkey added')
    } catch (error) {
      toast(passkeyMessageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="outline" busy={isBusy} onClick={() => void add()}>
      Add a passkey
    </Button>
  )
}

const NewPassword = ({ hasPassword }: { hasPassword: boolean }) => {
  const { operator } = useSession()
  const toast = useToast()
  const refresh = useRefresh()
  const [app, setApp] = useState<ReplyOf<'beginOperatorApp'>>()
  const begin = async () => {
    try {
      setApp(await api.call('beginOperatorApp', {}))
    } catch (error) {
      toast(passkeyMessageOf(error))
    }
  }
  return (
    <>
      <Button variant="outline" onClick={() => void begin()}>
        {hasPassword ? 'New password and app' : 'Set a password and an app'}
      </Button>
      <Dialog open={app !== undefined} onClose={() => setApp(undefined)} title="Password and app">
        {app && (
          <PasswordAndApp
            name={operator.name}
            app={app}
            verb="Save"
            send={async (given) => {
              await api.call('setOperatorPassword', { body: given })
              await refresh('getOwnAccount')
              setApp(undefined)
              toast('Saved. Your other sessions have ended.')
            }}
          />
        )}
      </Dialog>
    </>
  )
}

const LinkSso = () => {
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const link = async () => {
    setBusy(true)
    try {
      window.location.assign((await api.call('linkSso', {})).address)
    } catch (error) {
      toast(passkeyMessageOf(error))
      setBusy(false)
    }
  }
  return (
    <Button variant="outline" busy={isBusy} onClick={() => void link()}>
      Link single sign-on
    </Button>
  )
}

const WaysIn = ({ account: { passkeys, hasPassword, sso } }: { account: Account }) => (
  <Section title="Log-in">
    {passkeys.length > 0 && (
      <Table
        caption="Your passkeys"
        keyOf={({ id }) => id}
        rows={passkeys}
        columns={[
          { header: 'Passkey', cell: ({ name }) => name, isName: true },
          { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} as="day" /> },
          { header: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="never" /> },
          {
            header: 'Remove',
            isBare: true,
            cell: ({ id, name }) => (
              <Act
                label="Remove"
                title={`Remove the passkey ${name}?`}
                tone="quiet"
                verb="Remove"
                run={() =>
                  api
                    .call('removeOperatorPasskey', { params: { passkeyId: id } })
                    .then(() => forgetPasskey(id))
                }
                done="Passkey removed"
                refreshes={['getOwnAccount']}
              >
                <p>It can no longer be used to log in. You cannot remove your last one.</p>
              </Act>
            ),
          },
        ]}
      />
    )}
    <p className="my-4">
      {hasPassword
        ? 'You can also log in with your password and the code of your app.'
        : 'You have no password here: passkeys are enough.'}
    </p>
    <div className="flex flex-wrap gap-2">
      <AddPasskey />
      <NewPassword hasPassword={hasPassword} />
      {sso === 'offered' && <LinkSso />}
      {sso === 'linked' && (
        <Act
          label="Unlink single sign-on"
          title="Unlink single sign-on?"
          tone="quiet"
          verb="Unlink"
          run={() => api.call('unlinkSso', {})}
          done="Saved"
          refreshes={['getOwnAccount']}
        >
          <p>
            You log in with your passkey or password. A role that a group gives you stays with single sign-on.
          </p>
        </Act>
      )}
      {hasPassword && passkeys.length > 0 && (
        <Act
          label="Use passkeys only"
          title="Drop your password and app?"
          tone="quiet"
          run={() => api.call('dropOperatorPassword', {})}
          done="You log in by passkey only"
          refreshes={['getOwnAccount']}
        />
      )}
    </div>
  </Section>
)

const Sessions = ({ account: { sessions } }: { account: Account }) => (
  <Section title="Sessions">
    <Table
      caption="Your sessions"
      keyOf={({ id }) => id}
      rows={sessions}
      columns={[
        {
          header: 'Browser',
          isName: true,
          cell: ({ browser, isCurrent }) => (
            <>
              {browser ?? 'Unknown'} {isCurrent && <Badge tone="good">this one</Badge>}
            </>
          ),
        },
        { header: 'Network', cell: ({ network }) => network ?? '–' },
        { header: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { header: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} as="ago" /> },
        {
          header: 'End',
          isBare: true,
          cell: ({ id, isCurrent }) =>
            isCurrent ? null : (
              <Act
                label="End"
                title="End this session?"
                tone="quiet"
                verb="End"
                run={() => api.call('endOperatorSession', { params: { sessionId: id } })}
                done="Session ended"
                refreshes={['getOwnAccount']}
              />
            ),
        },
      ]}
    />
  </Section>
)

const NewToken = () => {
  const may = useMay()
  const [token, setToken] = useState<string>()
  const rights = PERMISSIONS.filter(may)
  return (
    <>
      <Act
        label="Create token"
        title="A token for a program"
        verb="Create"
        fields={[
          { name: 'name', label: 'What it is for' },
          { name: 'days', label: 'Days until it ends', kind: 'number', first: '30', hint: '1 to 365' },
          ...rights.map((right) => ({ name: `right ${right}`, label: right, kind: 'check' as const })),
        ]}
        run={async (filled) => {
          const permissions = rights.filter((right) => filled[`right ${right}`] === 'on')
          const body = { name: filled.name ?? '', days: Number(filled.days), permissions }
          setToken((await api.call('createOperatorToken', { body })).token)
        }}
        refreshes={['getOwnAccount']}
      >
        <p>It can do what you tick until it expires, but nothing that asks you to confirm who you are.</p>
      </Act>
      <Dialog open={token !== undefined} onClose={() => setToken(undefined)} title="Your token">
        <p className="mb-3">
          It is shown only now. Store it where your program can read it and no one else can.
        </p>
        <p className="mb-4 font-mono wrap-anywhere">{token}</p>
        {token && <CopyButton text={token} of="the token" />}
      </Dialog>
    </>
  )
}

const Tokens = ({ account: { tokens } }: { account: Account }) => (
  <Section title="Tokens for programs" actions={<NewToken />}>
    {tokens.length === 0 ? (
      <p className="text-quiet-ink">
        None. A token lets a program of yours use{' '}
        <a href="/api/v1/openapi.json" className="link">
          the console’s API
        </a>{' '}
        with a few of your rights, until a day.
      </p>
    ) : (
      <Table
        caption="Your tokens"
        keyOf={({ id }) => id}
        rows={tokens}
        columns={[
          { header: 'Token', isName: true, cell: ({ name }) => name },
          { header: 'Rights', cell: ({ permissions }) => permissions.join(', ') },
          { header: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} as="day" /> },
          { header: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="never" /> },
          {
            header: 'End',
            isBare: true,
            cell: ({ id, name }) => (
              <Act
                label="End"
                title={`End the token ${name}?`}
                tone="quiet"
                verb="End"
                run={() => api.call('endOperatorToken', { params: { tokenId: id } })}
                done="Token ended"
                refreshes={['getOwnAccount']}
              />
            ),
          },
        ]}
      />
    )}
  </Section>
)

/** The operator's own: how they get in, where they are in, what programs get in with. */
const AccountPage = () => {
  const account = useData('getOwnAccount', {})
  const { operator, endsAt } = useSession()
  return (
    <Page title="My account" lead={`${operator.name}, ${ROLE_WORDS[operator.role]}`}>
      <Loaded query={account}>
        {(data) => (
          <div className="space-y-8">
            <WaysIn account={data} />
            <Sessions account={data} />
            <Tokens account={data} />
            <Notice kind="info">
              This session ends at <Time at={endsAt} />, or after half an hour without use.
            </Notice>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default AccountPage
