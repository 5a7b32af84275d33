import { DAY_MS } from '@hedgerow/domain/dates'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { countText } from '#lib/format.ts'
import { DayInput } from '#shared/day-input.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'

type Different = ReplyOf<'compareDay'>['different'][number]
type Progress = { day: string; compared: number; silent: number; different: Different[] }

const today = () => new Date().toISOString().slice(0, 10)
const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
const WRONG_DAYS = 'Choose a first day that is not after the last one, and no day to come.'
const NOTHING = { compared: 0, silent: 0, different: [] }

/** Each payment of some days against the gateway's word of it, some at a time, until it is stopped. */
const useComparison = () => {
  const [progress, setProgress] = useState<Progress>()
  const [state, setState] = useState<'running' | 'broken-off' | 'whole'>()
  const [problem, setProblem] = useState<string>()
  const isStopped = useRef(false)
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const run = async (from: string, to: string) => {
    const wrong = from > to || to > today() ? WRONG_DAYS : undefined
    setProgress(undefined)
    setProblem(wrong)
    if (wrong) return
    isStopped.current = false
    setState('running')
    let all: Progress = { day: from, ...NOTHING }
    setProgress(all)
    let isWhole = false
    try {
      for (let day = from; day <= to && !isStopped.current; day = dayAfter(day)) {
        let skip: number | null = 0
        while (skip !== null && !isStopped.current) {
          const told: ReplyOf<'compareDay'> = await api.call('compareDay', { querystring: { day, skip } })
          all = {
            day,
            compared: all.compared + told.compared,
            silent: all.silent + told.silent,
            different: [...all.different, ...told.different],
          }
          setProgress(all)
          skip = told.next
          isWhole = skip === null && day === to
        }
      }
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setState(isWhole ? 'whole' : 'broken-off')
    }
  }
  return { progress, state, problem, run, stop: () => (isStopped.current = true) }
}

const GatewayComparisonPage = () => {
  const [from, setFrom] = useState(today())
  const [to, setTo] = useState(today())
  const { progress, state, problem, run, stop } = useComparison()
  const isRunning = state === 'running'
  return (
    <Page
      title="Compare with the gateway"
      up={{ to: '/payments', label: 'Payments' }}
      lead="The gateway is asked about each payment that was started on these days (UTC). Nothing is changed."
    >
      <div className="mb-6 flex flex-wrap items-end gap-3">
        {(
          [
            ['From', from, setFrom],
            ['To', to, setTo],
          ] as const
        ).map(([label, value, onChange]) => (
          <div key={label}>
            <span aria-hidden="true" className="mb-1 block text-sm text-quiet-ink">
              {label}
            </span>
            <DayInput aria-label={label} value={value} onChange={(day) => day && onChange(day)} />
          </div>
        ))}
        {isRunning ? (
          // It has taken the place of the button that began: the second half of a double click is not for it.
          <Button variant="outline" onClick={({ detail }) => detail < 2 && stop()}>
            Stop
          </Button>
        ) : (
          <Button onClick={() => void run(from, to)}>Compare</Button>
        )}
      </div>
      {problem && (
        <Notice kind="problem" className="mb-4">
          {problem}
        </Notice>
      )}
      {progress && (
        <div role="status" className="mb-6">
          {countText(progress.compared)} compared{isRunning && `, now ${progress.day}`}
          {state === 'broken-off' && `, then stopped at ${progress.day}`},{' '}
          {countText(progress.different.length)} {progress.different.length === 1 ? 'differs' : 'differ'}
          {progress.silent > 0 && `, the gateway gave no answer about ${countText(progress.silent)}`}.
        </div>
      )}
      {progress && progress.different.length > 0 && (
        <Section title="What differs">
          <ul className="divide-y divide-line">
            {progress.different.map(({ paymentId, createdAt, says }) => (
              <li key={paymentId} className="py-2">
                <Link to={`/payments/${paymentId}`} className="link">
                  {paymentId}
                </Link>
                , <Time at={createdAt} />
                <ul className="list-disc pl-5">
                  {says.map((words) => (
                    <li key={words}>{words}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Page>
  )
}

export default GatewayComparisonPage
