import { GATEWAY_TITLES, GATEWAYS, NOBODY } from '@hedgerow/domain/gateways'
import { isPriceSetting, type PriceSetting } from '@hedgerow/domain/price-settings'
import { RUNNING_SETTINGS, type RunningSetting } from '@hedgerow/domain/running-settings'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { useId } from 'react'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { CalculatorPrices } from '#pages/settings/calculator-prices.tsx'
import { Act, type ActField } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { useMay } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Setting = ReplyOf<'listRunningSettings'>[number]

type Plain = Setting & { name: Exclude<RunningSetting, PriceSetting> }

const isPlain = (setting: Setting): setting is Plain => !isPriceSetting(setting.name)

const WORDS: Readonly<Record<Plain['name'], { title: string; what: string; none: string; unit?: string }>> = {
  announcement: {
    title: 'Announcement',
    what: 'A line above every page of the shop.',
    none: 'None',
  },
  'announcement-link': {
    title: 'Link of the announcement',
    what: 'A page of the shop like /products, or an address that begins with https://.',
    none: 'No link.',
  },
  'operator-email': {
    title: 'Address for messages to operators',
    what: 'Where support messages and notices of problems go. To change it takes two operators, one of them an owner.',
    none: '',
  },
  'statement-descriptor': {
    title: 'Words on card statements',
    what: 'What the gateway puts on customers’ card statements, as agreed with it. The page after a payment and the receipt then say so.',
    none: 'Nothing is said.',
  },
  'node-reach-check': {
    title: 'Trying nodes from outside',
    what: 'on: as customers come to them. ipv4: over IPv4 alone. off: where the shop’s network lets no UDP out.',
    none: '',
  },
  'partner-hold-days': {
    title: 'Days before an earning can be withdrawn',
    what: 'Before a partner can withdraw it. Earnings that are already held keep their date.',
    none: '',
    unit: 'days',
  },
  'partner-minimum-spend': {
    title: 'Smallest order that earns a partner something',
    what: 'In whatever currency it is paid.',
    none: '',
  },
  'expired-grace-days': {
    title: 'Days that an expired connection shows the renewal page',
    what: 'After that it reaches nothing.',
    none: '',
    unit: 'days',
  },
  'card-gateway': {
    title: 'Gateway for new card payments',
    what: 'Stripe takes the card on its own page. Payments and refunds that have begun stay where they are.',
    none: '',
  },
  'card-second-gateway': {
    title: 'Gateway for cards while the first does not answer',
    what: 'New payments only, until it answers again. It is asked every 20 seconds, and passed over after three times without an answer.',
    none: '',
  },
  'crypto-gateway': {
    title: 'Bitcoin and Lightning',
    what: 'While BTCPay carries them, the checkout has a fourth tab. A refund waits until the customer has claimed it.',
    none: '',
  },
  disguise: {
    title: 'Disguise of AmneziaWG files',
    what: 'In files “For networks that block WireGuard”, with every node. junk: a few random packets. stun or quic: before them one that looks like the start of a call, or of a page. off: no such files. Or your own, like Jc = 4, Jmin = 40, Jmax = 70, I1 = <r 40>. Files that customers have keep working.',
    none: '',
  },
  'payout-iban': {
    title: 'IBAN that partners are paid from',
    what: 'The company’s account in euros. It stands in each SEPA file from now on; files that were made keep theirs.',
    none: 'None: SEPA files cannot be made.',
  },
  'payout-bic': {
    title: 'BIC of that account',
    what: 'Only for banks that ask for it.',
    none: 'None: the file says NOTPROVIDED, which SEPA allows.',
  },
  'payout-sort-code': {
    title: 'Sort code that partners are paid from',
    what: 'The company’s account in pounds. Only lists that name the payer need it, such as paygate and coutts.',
    none: 'None.',
  },
  'payout-account': {
    title: 'Account number that partners are paid from',
    what: 'Goes with the sort code.',
    none: 'None.',
  },
  'large-refund': {
    title: 'Refund limit for support',
    what: 'To one customer within 30 days, in whatever currency and way; four times as much within a day in all. More takes a manager or finance. To change it takes two operators, one of them an owner.',
    none: '',
  },
  'second-person': {
    title: 'Refund and payout limit for one operator',
    what: 'To one customer within 30 days, or in a file for the bank; four times as much within a day in all. More takes a second person. To change it takes two operators, one of them an owner.',
    none: '',
  },
}

/** A value that an older or a newer console has set is shown as it is. */
const titleOf = (gateway: string): string =>
  gateway === NOBODY
    ? 'Off'
    : (GATEWAYS.flatMap((name) => (name === gateway ? GATEWAY_TITLES[name] : []))[0] ?? gateway)

const valueText = ({ name, value, usual }: Plain): string => {
  const { none, unit } = WORDS[name]
  const shown = value ?? usual
  if (shown === null) return none
  if (RUNNING_SETTINGS[name].kind === 'choice') return titleOf(shown)
  return unit ? `${shown} ${unit}` : shown
}

const fieldOf = ({ name, value, usual }: Plain): ActField => {
  const { title, what } = WORDS[name]
  const shared = { name: 'value', label: title, hint: what }
  const form = RUNNING_SETTINGS[name]
  if (form.kind === 'line') return { ...shared, kind: 'words', most: form.most, rows: 2, first: value ?? '' }
  if (form.kind === 'choice')
    return {
      ...shared,
      kind: 'choice',
      options: form.of.map((one) => [one, titleOf(one)]),
      first: value ?? usual ?? '',
    }
  const kind = form.kind === 'number' || form.kind === 'sum' || form.kind === 'email' ? form.kind : 'text'
  return { ...shared, kind, first: value ?? usual ?? '' }
}

const REFRESHED = ['listRunningSettings'] as const

const One = ({ setting }: { setting: Plain }) => {
  const { name, value, usual, setAt, by } = setting
  const { title, what } = WORDS[name]
  const params = { name }
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card isSnug className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="text-lg">
            {title}
          </h2>
          <p className="text-quiet-ink">{what}</p>
          <p className="mt-2 font-medium wrap-anywhere">{valueText(setting)}</p>
          {setAt ? (
            <p className="text-sm text-quiet-ink">
              Set <Time at={setAt} /> by {by ?? 'a former operator'}
              {usual !== null && `; the shop was started with ${usual}`}
            </p>
          ) : (
            usual !== null && <p className="text-sm text-quiet-ink">Default</p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Act
            label={value === null ? 'Set' : 'Change'}
            title={title}
            may="settings.change"
            verb="Save"
            fields={[fieldOf(setting)]}
            run={({ value: typed = '' }) => api.call('setRunningSetting', { params, body: { value: typed } })}
            done="Saved. It applies from now on."
            refreshes={REFRESHED}
          />
          {value !== null && (
            <Act
              label="Reset"
              title={usual === null ? 'Reset it?' : `Go back to ${usual}?`}
              may="settings.change"
              tone="quiet"
              verb="Reset"
              run={() => api.call('clearRunningSetting', { params })}
              done="Reset"
              refreshes={REFRESHED}
            />
          )}
        </div>
      </Card>
    </section>
  )
}

/** What may change while the shop runs. */
const SettingsPage = () => {
  const query = useData('listRunningSettings', {})
  const may = useMay()
  return (
    <Page
      title="Settings"
      actions={
        may('settings.change') && (
          <Link to="/set-up" className={buttonLook('quiet')}>
            Set up
          </Link>
        )
      }
      lead={
        <>
          What can change while the shop runs. Everything else is set when it starts.
          {may('record.see') && (
            <>
              {' '}
              <Link to="/record?command=setting" className="link">
                History of changes
              </Link>
            </>
          )}
        </>
      }
    >
      <Loaded query={query}>
        {(settings) => (
          <div className="space-y-4">
            {settings.filter(isPlain).map((setting) => (
              <One key={setting.name} setting={setting} />
            ))}
            <CalculatorPrices settings={settings} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default SettingsPage
