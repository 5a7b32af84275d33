import {
  disableWebhook,
  enableWebhook,
  listWebhookDeliveries,
  removeWebhook,
  renewWebhookSecret,
  resendWebhookDelivery,
  testWebhook,
} from '@hedgerow/contract/console/webhooks'
import { WEBHOOK_EVENT_WORDS, WEBHOOK_EVENTS } from '@hedgerow/domain/webhook-events'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { type ReactNode, useState } from 'react'
import { api, type ReplyOf } from '#lib/api.ts'
import { Act, type Filled } from '#shared/act.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { columnsFor, filtersFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Webhook = ReplyOf<'listWebhooks'>[number]
type Delivery = ReplyOf<'listWebhookDeliveries'>['rows'][number]

const ASKED_EVERY_MS = 5_000
const REFRESHED = ['listWebhooks', 'listWebhookDeliveries', 'getToday'] as const

const STATES = {
  on: ['good', 'On'],
  failing: ['warning', 'Failing'],
  off: ['quiet', 'Off'],
  'turned-off': ['bad', 'Turned off'],
} as const

const bodyOf = (filled: Filled) => ({
  url: filled.url ?? '',
  events: WEBHOOK_EVENTS.filter((event) => filled[event] === 'on'),
})

const fieldsOf = (webhook?: Webhook) => [
  {
    name: 'url',
    label: 'Address',
    hint: 'https://, and a host that anyone on the internet can reach',
    ...(webhook ? { first: webhook.url } : {}),
  },
  ...WEBHOOK_EVENTS.map((event) => ({
    name: event,
    label: `${WEBHOOK_EVENT_WORDS[event]} (${event})`,
    kind: 'check' as const,
    first: webhook ? webhook.events.includes(event) : event === 'order.paid',
  })),
]

/** Shows what an act has made once; its button is the child. */
const WithSecret = ({ children }: { children: (show: (secret: string) => void) => ReactNode }) => {
  const [secret, setSecret] = useState<string>()
  return (
    <>
      {children(setSecret)}
      <Dialog open={secret !== undefined} onClose={() => setSecret(undefined)} title="Signing secret">
        <p className="mb-3">The receiver checks messages with it. Copy it now: it is not shown again.</p>
        <p className="mb-4 font-mono wrap-anywhere">{secret}</p>
        {secret && <CopyButton text={secret} of="the secret" />}
      </Dialog>
    </>
  )
}

const Add = () => (
  <WithSecret>
    {(show) => (
      <Act
        label="Add a webhook"
        title="Add a webhook"
        verb="Add"
        tone="solid"
        may="webhooks.change"
        fields={fieldsOf()}
        run={async (filled) => show((await api.call('createWebhook', { body: bodyOf(filled) })).secret)}
        refreshes={REFRESHED}
      >
        <p>The shop posts a signed message to the address whenever one of these happens.</p>
      </Act>
    )}
  </WithSecret>
)

const Acts = ({ webhook }: { webhook: Webhook }) => {
  const params = { webhookId: webhook.id }
  const act = { params, refreshes: REFRESHED }
  const isOff = webhook.disabledAt !== null
  return (
    <div className="mt-3 flex flex-wrap gap-2 max-lg:[&>.border-transparent]:border-outline">
      {isOff ? (
        <CallAct call="enableWebhook" endpoint={enableWebhook} label="Turn on" tone="outline" {...act} />
      ) : (
        <CallAct call="testWebhook" endpoint={testWebhook} label="Send a test" tone="outline" {...act} />
      )}
      <Act
        label="Edit"
        title="Edit this webhook"
        verb="Save"
        tone="quiet"
        may="webhooks.change"
        fields={fieldsOf(webhook)}
        run={(filled) => api.call('changeWebhook', { params, body: bodyOf(filled) })}
        done="Saved"
        refreshes={REFRESHED}
      >
        <p>What already waits goes to the new address.</p>
      </Act>
      <WithSecret>
        {(show) => (
          <CallAct
            call="renewWebhookSecret"
            endpoint={renewWebhookSecret}
            label="New secret"
            verb="Create"
            onDone={({ secret }: ReplyOf<'renewWebhookSecret'>) => show(secret)}
            {...act}
          />
        )}
      </WithSecret>
      {!isOff && <CallAct call="disableWebhook" endpoint={disableWebhook} label="Turn off" {...act} />}
      <CallAct call="removeWebhook" endpoint={removeWebhook} label="Remove" tone="danger" {...act} />
    </div>
  )
}

const OneWebhook = ({ webhook }: { webhook: Webhook }) => {
  const [tone, word] = STATES[webhook.state]
  return (
    <Card isSnug>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-mono text-base wrap-anywhere">{webhook.url}</h2>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p className="mt-1 text-sm text-quiet-ink">{webhook.events.join(', ')}</p>
      {webhook.failingSince && (
        <p className="mt-1 text-sm">
          It has taken no message since <Time at={webhook.failingSince} />.
          {webhook.waiting > 0 && ` ${webhook.waiting} waiting.`}
        </p>
      )}
      {webhook.formerSecretUntil && (
        <p className="mt-1 text-sm">
          The old secret signs as well until <Time at={webhook.formerSecretUntil} />.
        </p>
      )}
      <Acts webhook={webhook} />
    </Card>
  )
}

const TONES = { waiting: 'quiet', delivered: 'good', failed: 'bad' } as const

const Deliveries = ({ webhooks }: { webhooks: readonly Webhook[] }) => {
  const addressOf = new Map(webhooks.map(({ id, url }) => [id, new URL(url).host]))
  return (
    <Section title="Deliveries">
      <List<Delivery>
        call="listWebhookDeliveries"
        file="/api/v1/webhook-deliveries.csv"
        caption="Deliveries"
        everyMs={ASKED_EVERY_MS}
        keyOf={({ id }) => id}
        filters={filtersFor(listWebhookDeliveries.fields)}
        columns={[
          ...columnsFor<Delivery>(listWebhookDeliveries.columns, {
            status: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge>,
            error: ({ error }) => error && <span className="block lg:min-w-36">{error}</span>,
            webhookId: ({ webhookId }) => addressOf.get(webhookId) ?? 'removed',
          }),
          {
            name: 'acts',
            title: '',
            isAct: true,
            cell: ({ id }) => (
              <CallAct
                call="resendWebhookDelivery"
                endpoint={resendWebhookDelivery}
                label="Send again"
                params={{ deliveryId: id }}
                refreshes={REFRESHED}
              />
            ),
          },
        ]}
        empty={{ title: 'Nothing sent yet', text: 'Deliveries are kept for 30 days.' }}
      />
    </Section>
  )
}

const WebhooksPage = () => {
  const all = useData('listWebhooks', {})
  return (
    <Page title="Webhooks" lead="Programs of yours that the shop tells what happens." actions={<Add />}>
      <Loaded query={all}>
        {(webhooks) => (
          <div className="space-y-8">
            {webhooks.length === 0 ? (
              <EmptyState title="No webhooks yet">
                Add one to have a program told of payments, refunds and disputes as they happen.
              </EmptyState>
            ) : (
              <div className="space-y-4">
                {webhooks.map((webhook) => (
                  <OneWebhook key={webhook.id} webhook={webhook} />
                ))}
              </div>
            )}
            <Deliveries webhooks={webhooks} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default WebhooksPage
