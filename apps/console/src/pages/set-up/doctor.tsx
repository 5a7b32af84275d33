import { Button } from '@hedgerow/ui/button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { counted } from '#lib/format.ts'
import { CheckRow } from '#shared/check-row.tsx'
import { useMay } from '#shared/session.tsx'
import { isLeft, SET_UP_TITLES } from '#shared/set-up-words.ts'

type Found = ReplyOf<'runDoctor'>['found']

const Rows = ({ found }: { found: Found }) => (
  <ul className="divide-y divide-line">
    {found.map(({ check, ...seen }) => (
      <CheckRow key={`${check} ${seen.says}`} name={check} {...seen} />
    ))}
  </ul>
)

const Result = ({ found }: { found: Found }) => {
  const of = (state: Found[number]['state']) => found.filter((one) => one.state === state)
  const [problems, warnings, well] = [of('problem'), of('warning'), of('ok')]
  const wrong = [...problems, ...warnings]
  return (
    <>
      {problems.length > 0 ? (
        <Notice kind="problem" title={`${counted(problems.length, 'problem')} to solve`}>
          {problems.length > 1 && 'Begin with the first: others may come of it.'}
        </Notice>
      ) : (
        <Notice kind="done" title="The shop is ready to sell">
          {warnings.length > 0 ? 'No problem was found. Read the warnings below.' : 'All is green.'}
        </Notice>
      )}
      {wrong.length > 0 && (
        <Card isSnug>
          <Rows found={wrong} />
        </Card>
      )}
      <details open={wrong.length === 0}>
        <summary className="min-h-11 py-2">{counted(well.length, 'check')} in order</summary>
        <Card isSnug>
          <Rows found={well} />
        </Card>
      </details>
    </>
  )
}

/** Everything at once, and the next thing to do. */
export const Doctor = ({ setUp: { steps } }: { setUp: ReplyOf<'getSetUp'> }) => {
  const [found, setFound] = useState<Found>()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const may = useMay()
  const next = steps.find(isLeft)
  const run = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      setFound((await api.call('runDoctor', {})).found)
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {next && (
        <Notice
          kind="info"
          title={`Still to do: ${steps
            .filter(isLeft)
            .map(({ name }) => SET_UP_TITLES[name])
            .join(', ')}`}
        >
          <Link to={`/set-up/${next.name}`} className="link">
            Continue: {SET_UP_TITLES[next.name]}
          </Link>
        </Notice>
      )}
      {may('shop.examine') ? (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button busy={isBusy} onClick={() => void run()}>
            {found ? 'Look again' : 'Look at everything'}
          </Button>
          <span className="text-quiet-ink">It takes half a minute at most.</span>
        </p>
      ) : (
        <Notice kind="info">
          An owner can let the doctor look, because it tells how this machine is set up.
        </Notice>
      )}
      {fault && <Notice kind="problem">{fault}</Notice>}
      {found && <Result found={found} />}
    </>
  )
}
