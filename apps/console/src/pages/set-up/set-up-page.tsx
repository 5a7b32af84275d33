import { Badge } from '@hedgerow/ui/badge.tsx'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import {
  ChevronRight,
  Circle,
  CircleAlert,
  CircleCheck,
  HeartPulse,
  TriangleAlert,
} from '@hedgerow/ui/icons.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Link, useParams } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { Doctor } from '#pages/set-up/doctor.tsx'
import { CONTENTS } from '#pages/set-up/steps.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { isLeft, SET_UP_TITLES } from '#shared/set-up-words.ts'
import { useData } from '#shared/use-data.ts'

type SetUp = ReplyOf<'getSetUp'>
type Step = SetUp['steps'][number]

const ASKED_EVERY_MS = 4_000
const UP = { to: '/set-up', label: 'Set up' }

const TITLES = { ...SET_UP_TITLES, doctor: 'Doctor' } as const
type Name = keyof typeof TITLES
const isName = (name: string): name is Name => Object.hasOwn(TITLES, name)

const WHY: Readonly<Record<Name, string>> = {
  address:
    'Customers, their banks and your nodes come to this address, and a browser only trusts it with a certificate. The console has a name of its own, so that no page of the shop can reach what you do here.',
  company:
    'The law wants your company named on every page, email and invoice. It is also how customers reach you when something goes wrong.',
  mail: 'Customers confirm their address, get their receipts and choose new passwords by email. If yours are taken for spam, nobody can buy.',
  gateway:
    'It takes the money. The shop asks it, with your keys, about a payment that does not exist: the right answer proves that it takes them.',
  node: 'Connections run on a server of their own. Without one there is no room, and nothing is sold. Once it is up, the shop tries it from outside, as a customer’s device does.',
  prices: 'The shop comes with prices as an example. Customers pay what stands here from the first day.',
  purchase:
    'Your first customer should not be the first to try. Buy as they will and give the money back: then paying, delivering and refunding have all worked once.',
  backup:
    'If this machine is lost, so is everything that customers have paid for, unless there is a copy elsewhere.',
  doctor:
    'It looks at everything that a shop needs, also at what no step covers: keys, books, disks, clocks. It changes nothing.',
}

const STATES = {
  done: { word: 'Done', tone: 'good', notice: 'done', Icon: CircleCheck, ink: 'text-hedge' },
  open: { word: 'To do', tone: 'quiet', notice: 'info', Icon: Circle, ink: 'text-quiet-ink' },
  warning: { word: 'Warning', tone: 'warning', notice: 'warning', Icon: TriangleAlert, ink: 'text-straw' },
  problem: { word: 'Problem', tone: 'bad', notice: 'problem', Icon: CircleAlert, ink: 'text-berry' },
} as const

const DOCTOR = { Icon: HeartPulse, ink: 'text-quiet-ink', word: '' }

/** What the tool is told to do about these has a button here. */
const HAS_BUTTON: readonly Step['name'][] = ['mail', 'prices', 'purchase']

type RowProps = { to: Name; says: string; state?: Step['state'] }

const Row = ({ to, says, state }: RowProps) => (
  <li>
    <Link
      to={`/set-up/${to}`}
      className="flex min-h-14 items-center gap-3 px-4 py-3 hover:bg-hedge-tint hover:text-hedge"
    >
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 sm:flex-nowrap">
        <span className="font-semibold sm:hidden">{TITLES[to]}</span>
        <span className="shrink-0 sm:w-22">
          {state && <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>}
        </span>
        <span className="min-w-0 flex-1 max-sm:basis-full">
          <span className="block font-semibold max-sm:hidden">{TITLES[to]}</span>
          <span className="line-clamp-2 text-sm text-quiet-ink wrap-anywhere">{says}</span>
        </span>
      </span>
      <ChevronRight className="size-5 shrink-0 text-hedge" />
    </Link>
  </li>
)

const Overview = ({ setUp: { steps } }: { setUp: SetUp }) => {
  const next = steps.find(isLeft)
  return (
    <div className="space-y-6">
      {next ? (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <Link to={`/set-up/${next.name}`} className={buttonLook('solid')}>
            Continue: {TITLES[next.name]}
          </Link>
          <span className="text-quiet-ink">
            {steps.filter((step) => !isLeft(step)).length} of {steps.length} steps done
          </span>
        </p>
      ) : (
        <Notice kind="done" title="Every step is done">
          Let the doctor look at everything once more before you tell people of your shop.
        </Notice>
      )}
      <ol className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {steps.map(({ name, state, says }) => (
          <Row key={name} to={name} says={says} state={state} />
        ))}
        <Row to="doctor" says="Everything, looked at once more" />
      </ol>
    </div>
  )
}

/** Beside a step, where there is room: how the others stand. */
const Beside = ({ steps, here }: { steps: readonly Step[]; here: Name }) => (
  <nav aria-label="Steps" className="max-lg:hidden">
    <ol className="space-y-1">
      {[...steps, undefined].map((step) => {
        const { Icon, ink, word } = step ? STATES[step.state] : DOCTOR
        const name = step?.name ?? 'doctor'
        return (
          <li key={name}>
            <Link
              to={`/set-up/${name}`}
              aria-current={name === here ? 'step' : undefined}
              className="flex min-h-9 items-center gap-2 rounded-field px-2 hover:bg-hedge-tint hover:text-hedge aria-[current=step]:bg-hedge-tint aria-[current=step]:font-semibold aria-[current=step]:text-hedge"
            >
              <Icon className={`size-4.5 shrink-0 ${ink}`} />
              {TITLES[name]}
              {step && <span className="sr-only">: {word}</span>}
            </Link>
          </li>
        )
      })}
    </ol>
  </nav>
)

/** Before and after in their order; the doctor is last. */
const Around = ({ steps, here }: { steps: readonly Step[]; here: Name }) => {
  const names: Name[] = [...steps.map(({ name }) => name), 'doctor']
  const at = names.indexOf(here)
  const [before, after] = [names[at - 1], names[at + 1]]
  const isDone = steps[at]?.state === 'done'
  return (
    <nav
      aria-label="Before and after"
      className="flex flex-wrap justify-between gap-3 border-t border-line pt-4"
    >
      {before ? (
        <Link to={`/set-up/${before}`} className={buttonLook('quiet')}>
          Back: {TITLES[before]}
        </Link>
      ) : (
        <span />
      )}
      {after && (
        <Link to={`/set-up/${after}`} className={buttonLook(isDone ? 'solid' : 'outline')}>
          Next: {TITLES[after]}
        </Link>
      )}
    </nav>
  )
}

const OneStep = ({ setUp, step }: { setUp: SetUp; step: Step }) => {
  const Content = CONTENTS[step.name]
  const isHidden = step.state === 'open' && HAS_BUTTON.includes(step.name)
  return (
    <>
      <Notice kind={STATES[step.state].notice} title={step.says}>
        {isHidden ? null : step.act}
      </Notice>
      <Content setUp={setUp} />
    </>
  )
}

/** What a new shop needs before it sells, a step at a time. Nothing is kept of it: each step is what the shop finds. */
const SetUpPage = () => {
  const { step: here } = useParams<{ step?: string }>()
  const setUp = useData(
    'getSetUp',
    {},
    { live: { kinds: ['node', 'payment', 'refund'] }, everyMs: ASKED_EVERY_MS },
  )
  if (here === undefined)
    return (
      <Page
        title="Set up"
        lead="What your shop needs before it sells. You can leave at any time: the shop finds out by itself what is done."
      >
        <Loaded query={setUp}>{(data) => <Overview setUp={data} />}</Loaded>
      </Page>
    )
  if (!isName(here))
    return (
      <Page title="Set up" up={UP}>
        <p>There is no such step.</p>
      </Page>
    )
  return (
    <Page title={TITLES[here]} up={UP} lead={WHY[here]}>
      <Loaded query={setUp}>
        {(data) => {
          const step = data.steps.find(({ name }) => name === here)
          return (
            <div className="gap-8 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)]">
              <Beside steps={data.steps} here={here} />
              <div className="min-w-0 space-y-6">
                {step ? <OneStep setUp={data} step={step} /> : <Doctor setUp={data} />}
                <Around steps={data.steps} here={here} />
              </div>
            </div>
          )
        }}
      </Loaded>
    </Page>
  )
}

export default SetUpPage
