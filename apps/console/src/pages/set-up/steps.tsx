import * as nodes from '@hedgerow/contract/console/nodes'
import { confirmPrices, sendTestMail } from '@hedgerow/contract/console/set-up'
import { formatMinor } from '@hedgerow/domain/money'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Table } from '@hedgerow/ui/table.tsx'
import { type ComponentType, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { AddNodeAct, type Enrolled, InstallLine } from '#pages/nodes/enrolment.tsx'
import { NodeBadge } from '#pages/nodes/node-words.tsx'
import { RefundAct } from '#pages/payments/refund-acts.tsx'
import { CalculatorPrices } from '#pages/settings/calculator-prices.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { CheckBadge } from '#shared/check-row.tsx'
import { CopyLine } from '#shared/copy-line.tsx'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Money } from '#shared/money.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type SetUp = ReplyOf<'getSetUp'>
type Seen = SetUp['address']['checks'][number]
type ContentProps = { setUp: SetUp }

const REFRESHED = ['getSetUp'] as const

const SeenLine = ({ seen: { state, says, act } }: { seen: Seen }) => (
  <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
    <CheckBadge state={state} />
    <div className="min-w-0 flex-1 max-sm:basis-full">
      <p className="wrap-anywhere">{says}</p>
      {act && <p className="text-quiet-ink wrap-anywhere">{act}</p>}
    </div>
  </div>
)

const Looked = ({ at }: { at: string | null }) => (
  <p className="text-sm text-quiet-ink">
    The shop looks every 45 seconds, last <Time at={at} as="ago" none="not yet" />. What it sees appears here
    by itself.
  </p>
)

const Outside = ({ to, children }: { to: string; children?: ReactNode }) => (
  <a href={to} target="_blank" rel="noreferrer" className="link">
    {children ?? to}
  </a>
)

const Address = ({ setUp: { address, checkedAt, steps } }: ContentProps) => (
  <>
    <Section title="Addresses">
      <Facts
        facts={[
          ['The shop', <Outside key="s" to={address.shop} />],
          ['This console', address.console],
        ]}
      />
      <p className="mt-3 text-quiet-ink">
        Both names need a record (A, and AAAA where the server has IPv6) that leads to this server. They are
        PUBLIC_URL and CONSOLE_URL in its settings.
      </p>
    </Section>
    {steps.some(({ name, state }) => name === 'address' && state !== 'done') && address.checks.length > 0 && (
      <Section title="What the shop sees">
        <div className="space-y-4">
          {address.checks.map((seen) => (
            <SeenLine key={seen.says} seen={seen} />
          ))}
        </div>
      </Section>
    )}
    <Looked at={checkedAt} />
  </>
)

const Company = ({ setUp: { company } }: ContentProps) => (
  <Section title="What customers read">
    <Facts
      facts={company.map(({ variable, label, value }) => [
        label,
        <span key={variable} className="flex flex-wrap justify-between gap-x-4">
          {value || 'none'}
          <code className="text-sm text-quiet-ink">{variable}</code>
        </span>,
      ])}
    />
    <p className="mt-3 text-quiet-ink">
      To change one, set it in the shop’s settings, whose file docs/running.md names, and run install-shop.sh
      again: it writes the pages anew.
    </p>
  </Section>
)

const MailRecord = ({
  record: { kind, name, value, seen },
}: {
  record: SetUp['mail']['records'][number]
}) => (
  <li className="space-y-2 py-3">
    <h3 className="font-semibold">{kind}</h3>
    {seen && <SeenLine seen={seen} />}
    {seen?.state !== 'ok' &&
      (kind === 'DKIM' ? (
        <p className="text-quiet-ink wrap-anywhere">
          A TXT record below {name}. Your mail provider gives you its name and what it says.
        </p>
      ) : (
        <>
          <p>A TXT record at</p>
          <CopyLine text={name} of={`the name of the ${kind} record`} />
          {value === null ? (
            <p className="text-quiet-ink">Your mail provider tells you what it says.</p>
          ) : (
            <>
              <p>that says</p>
              <CopyLine text={value} of={`the ${kind} record`} />
            </>
          )}
        </>
      ))}
  </li>
)

const Mail = ({ setUp: { mail, checkedAt } }: ContentProps) => (
  <>
    <Section
      title="Test mail"
      actions={
        <CallAct
          call="sendTestMail"
          endpoint={sendTestMail}
          label="Send a test mail"
          verb="Send"
          tone={mail.sentAt ? 'outline' : 'solid'}
          refreshes={REFRESHED}
        >
          <p>It goes to {mail.to}. Five an hour at most.</p>
        </CallAct>
      }
    >
      <Facts
        facts={[
          ['From', mail.from],
          ['To', mail.to],
          ['Mail server', mail.server],
          ['Last taken by it', <Time key="t" at={mail.sentAt} none="never" />],
        ]}
      />
      <p className="mt-3 text-quiet-ink">
        Look whether it arrives, and not as spam. The settings are MAIL_FROM, OPERATOR_EMAIL and SMTP_URL.
      </p>
    </Section>
    <Section title="Records of the sender’s domain">
      <ul className="divide-y divide-line">
        {mail.records.map((record) => (
          <MailRecord key={record.kind} record={record} />
        ))}
      </ul>
    </Section>
    <Looked at={checkedAt} />
  </>
)

const Gateway = ({ setUp: { gateways, checkedAt } }: ContentProps) => {
  const without = gateways.filter(({ hasKeys }) => !hasKeys)
  return (
    <>
      {gateways
        .filter(({ hasKeys }) => hasKeys)
        .map(({ name, seen, callbacks }) => (
          <Section key={name} title={name}>
            <div className="space-y-3">
              {seen && <SeenLine seen={seen} />}
              <p>Enter this in the gateway’s own settings, so that it reports payments here:</p>
              {callbacks.map((callback) => (
                <CopyLine key={callback} text={callback} of="the address" />
              ))}
            </div>
          </Section>
        ))}
      {without.length > 0 && (
        <p className="text-quiet-ink">
          {without.map(({ name }) => name).join(' and ')}: no keys are set. docs/gateways.md says what each
          carries, and how to get its keys. One gateway is enough.
        </p>
      )}
      <Looked at={checkedAt} />
    </>
  )
}

const Node = ({ setUp: { node } }: ContentProps) => {
  const [added, setAdded] = useState<Enrolled>()
  if (added && (!node || node.state === 'awaiting'))
    return (
      <Section title={`Install ${added.name}`}>
        <InstallLine enrolment={added} />
        <p className="mt-2 text-quiet-ink">
          This page notices when the node is up, and when it has been tried.
        </p>
      </Section>
    )
  if (!node)
    return (
      <Section title="Add it">
        <p className="mb-4">
          You need a server with a public address, other than this one, and a name or address by which
          customers reach it. The line that installs everything there comes next.
        </p>
        <AddNodeAct onAdded={setAdded} />
      </Section>
    )
  return (
    <Section
      title={node.name}
      actions={
        node.state === 'awaiting' && (
          <CallAct
            call="tokenOfConsoleNode"
            endpoint={nodes.tokenOfConsoleNode}
            label="New install line"
            verb="Create"
            tone="outline"
            params={{ name: node.name }}
            onDone={setAdded}
            refreshes={REFRESHED}
          />
        )
      }
    >
      <p className="flex flex-wrap items-center gap-3">
        <NodeBadge state={node.state} />
        <Link to={`/nodes/${encodeURIComponent(node.name)}`} className="link">
          Its page
        </Link>
      </p>
    </Section>
  )
}

const Prices = ({ setUp: { prices } }: ContentProps) => {
  const settings = useData('listRunningSettings', {})
  return (
    <>
      <Section
        isBare
        title="What typical orders cost"
        actions={
          prices.confirmedAt === null && (
            <CallAct
              call="confirmPrices"
              endpoint={confirmPrices}
              label="Confirm these prices"
              verb="Confirm"
              tone="solid"
              refreshes={REFRESHED}
            />
          )
        }
      >
        <Table
          caption="What typical orders cost"
          isShort
          keyOf={({ order }) => order}
          rows={prices.examples}
          columns={[
            { header: 'An order of', cell: ({ order }) => order },
            { header: 'Costs', isNumber: true, cell: ({ minor }) => formatMinor(minor) },
          ]}
        />
        <p className="mt-3 text-quiet-ink">
          VAT included, the same sum in pounds and in euros. Ready-made plans have prices of their own:{' '}
          <Link to="/plans" className="link">
            Plans and prices
          </Link>
          . An invoice in euros also says its sum in pounds, at HMRC’s rate of the month: set that under{' '}
          <Link to="/finance/rates" className="link">
            Rates
          </Link>{' '}
          before the first sale.
        </p>
      </Section>
      <Loaded query={settings}>{(all) => <CalculatorPrices settings={all} />}</Loaded>
    </>
  )
}

const GiveBack = ({ paymentId }: { paymentId: string }) => {
  const payment = useData('getPayment', { params: { paymentId } })
  return payment.data ? <RefundAct payment={payment.data} /> : null
}

const Purchase = ({ setUp: { purchase, address } }: ContentProps) =>
  purchase ? (
    <Section
      title="The purchase"
      actions={!purchase.isGivenBack && !purchase.isUnderWay && <GiveBack paymentId={purchase.paymentId} />}
    >
      <Facts
        facts={[
          ['Paid', <Money key="m" of={purchase.sum} />],
          ['When', <Time key="t" at={purchase.at} />],
          [
            'Payment',
            <Link key="p" to={`/payments/${purchase.paymentId}`} className="link">
              All that became of it
            </Link>,
          ],
        ]}
      />
    </Section>
  ) : (
    <Section title="How to">
      <ol className="list-decimal space-y-3 pl-5">
        <li>Open the shop, and sign up with an address of your own.</li>
        <li>Buy the least there is, with a real card.</li>
        <li>Set the connection up on a phone, and open a page by it.</li>
        <li>Come back: the purchase appears here, with the button that gives it back.</li>
      </ol>
      <p className="mt-4">
        <a href={address.shop} target="_blank" rel="noreferrer" className={buttonLook('solid')}>
          Open the shop
        </a>
      </p>
    </Section>
  )

const Backup = ({ setUp: { backedUpAt } }: ContentProps) => (
  <Section title="Backups">
    <Facts facts={[['Last one', <Time key="t" at={backedUpAt} none="never" />]]} />
    <p className="mt-3 text-quiet-ink">
      Keep a copy on another machine: with BACKUP_S3 the shop sends each one, encrypted. Keep
      KEY_ENCRYPTION_KEY apart from both: without it a backup shows no configuration, and a copy elsewhere
      cannot even be read. docs/backups.md has the ways.
    </p>
  </Section>
)

export const CONTENTS: Readonly<Record<SetUp['steps'][number]['name'], ComponentType<ContentProps>>> = {
  address: Address,
  company: Company,
  mail: Mail,
  gateway: Gateway,
  node: Node,
  prices: Prices,
  purchase: Purchase,
  backup: Backup,
}
