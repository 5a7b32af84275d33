import * as batches from '@hedgerow/contract/console/payout-batches'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { saveFile } from '@hedgerow/web/save-file.ts'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { countText, sumText } from '#lib/format.ts'
import { sentFile } from '#lib/sent-file.ts'
import { Act, type Files, type Filled } from '#shared/act.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { Money } from '#shared/money.tsx'

const REFRESHED = [
  'listConsoleWithdrawals',
  'getConsoleWithdrawal',
  'listBatches',
  'getBatch',
  'getToday',
] as const

type Made = ReplyOf<'makeBatch'>

const MadeNotice = ({ made }: { made: Made }) => (
  <Notice
    kind={made.batchId ? 'done' : 'warning'}
    title={made.batchId ? `File ${made.batchId} is made` : 'Nothing can be in a file'}
    className="mb-6"
  >
    {made.batchId ? (
      <p>
        {countText(made.count)} {made.count === 1 ? 'withdrawal' : 'withdrawals'}, {sumText(made.sum)} in all.
        The file was saved by your browser. It holds bank accounts: give it to your bank, then delete it. When
        the bank has paid, import its answer.
      </p>
    ) : (
      <p>No withdrawal in {made.sum.currency} waits that is in no file yet and can be in this one.</p>
    )}
    {made.leftOut.length > 0 && (
      <>
        <p className="mt-2">Left out:</p>
        <ul className="mt-1 list-disc pl-5">
          {made.leftOut.map(({ withdrawalId, sum, why }) => (
            <li key={withdrawalId}>
              <Link to={`/withdrawals/${withdrawalId}`} className="link">
                {sumText(sum)}
              </Link>
              : {why}
            </li>
          ))}
        </ul>
      </>
    )}
    {made.hasMore && <p className="mt-2">There are more than one file holds. Make the next one, too.</p>}
  </Notice>
)

const save = ({ name, text, type }: ReplyOf<'rewriteConsoleBatch'>['file']) => saveFile(name, text, type)

/** Puts what waits in a file for the bank. */
export const useMakeFile = () => {
  const [made, setMade] = useState<Made>()
  return {
    act: (
      <CallAct
        call="makeBatch"
        endpoint={batches.makeBatch}
        label="Create a file for the bank"
        tone="solid"
        verb="Create"
        onDone={(reply: Made) => {
          if (reply.file) save(reply.file)
          setMade(reply)
        }}
        says={({ batchId }: Made) => (batchId ? `File ${batchId} is saved` : 'No file was made')}
        refreshes={REFRESHED}
      />
    ),
    notice: made && <MadeNotice made={made} />,
  }
}

export const FileAgainAct = ({ batchId }: { batchId: string }) => (
  <CallAct
    call="rewriteConsoleBatch"
    endpoint={batches.rewriteConsoleBatch}
    label="Download the file again"
    verb="Save"
    params={{ batchId }}
    onDone={({ file }: ReplyOf<'rewriteConsoleBatch'>) => save(file)}
    refreshes={[]}
  />
)

export const ReleaseBatchAct = ({ batchId }: { batchId: string }) => (
  <CallAct
    call="releaseBatch"
    endpoint={batches.releaseBatch}
    label="Remove all"
    tone="danger"
    verb="Remove all"
    word={batchId}
    params={{ batchId }}
    says={({ released }: ReplyOf<'releaseBatch'>) => `Removed: ${released}`}
    refreshes={REFRESHED}
  />
)

/** 'Record 2 as paid, 1 as not paid'. */
const recordText = (paid: number, unpaid: number): string =>
  `Record ${[
    paid > 0 ? `${countText(paid)} as paid` : '',
    unpaid > 0 ? `${countText(unpaid)} as not paid` : '',
  ]
    .filter(Boolean)
    .join(', ')}`

type Answers = ReplyOf<'importBankAnswers'>

const MEANS = {
  pay: 'paid',
  release: 'not paid: out of its file again',
  known: 'recorded before',
  pending: 'not ended yet: left as it is',
  unclear: 'the bank does not say: left as it is',
  unknown: 'no reference of ours: left alone',
  contradicts: 'contradicts what is recorded',
} as const

const AnswersTable = ({ answers: { answers, others } }: { answers: Answers }) => (
  <>
    {answers.length === 0 ? (
      <p>The file tells of no transfer of ours.</p>
    ) : (
      <Table
        caption="What the bank says"
        keyOf={({ at, reference }) => `${at} ${reference}`}
        rows={answers}
        columns={[
          { header: 'At', cell: ({ at }) => at },
          { header: 'Reference', isName: true, cell: ({ reference }) => reference },
          { header: 'Amount', isNumber: true, cell: ({ sum }) => sum && <Money of={sum} /> },
          {
            header: 'The bank says',
            cell: ({ verdict, why, isDone }) =>
              `${MEANS[verdict]}${why ? `: ${why}` : ''}${isDone ? ' (recorded now)' : ''}`,
          },
        ]}
      />
    )}
    {others > 0 && <p className="mt-2 text-quiet-ink">Rows about something else: {countText(others)}.</p>}
  </>
)

const bodyOf = async ({ columns, decimal, areAllPaid }: Filled, files: Files) => ({
  file: await sentFile(files.get('file') as File),
  columns: columns || undefined,
  decimal: (decimal || undefined) as 'comma' | undefined,
  areAllPaid: areAllPaid === 'on',
})

/** The bank's answer: first what it comes to, then, if that is right, recorded. */
export const useBringInAnswers = () => {
  const [planned, setPlanned] = useState<{ body: Awaited<ReturnType<typeof bodyOf>>; answers: Answers }>()
  const [done, setDone] = useState<Answers>()
  const count = (verdict: 'pay' | 'release') =>
    planned?.answers.answers.filter((answer) => answer.verdict === verdict).length ?? 0
  return {
    act: (
      <Act
        label="Import the bank’s answer"
        title="What has the bank paid?"
        may="withdrawals.pay"
        verb="Read"
        fields={[
          {
            name: 'file',
            label: 'The bank’s file',
            kind: 'file',
            hint: 'pain.002, camt.053, camt.054 or a list (CSV)',
          },
          {
            name: 'columns',
            label: 'Columns of a list',
            isOptional: true,
            hint: 'Where the bank calls them otherwise: reference=Title,amount=Title',
          },
          {
            name: 'decimal',
            label: 'Sums are written with a',
            kind: 'choice',
            isOptional: true,
            options: [
              ['comma', 'comma: 10,50'],
              ['point', 'point: 10.50'],
            ],
          },
          { name: 'areAllPaid', label: 'A list without statuses: each of ours was paid', kind: 'check' },
        ]}
        run={async (filled, files) => {
          const body = await bodyOf(filled, files)
          setDone(undefined)
          setPlanned({ body, answers: await api.call('previewBankAnswers', { body }) })
        }}
      >
        <p>You see what it says before anything is recorded.</p>
      </Act>
    ),
    notice: planned && (
      <Notice kind={done ? 'done' : 'info'} title={done ? 'Recorded' : 'What the file says'} className="mb-6">
        <AnswersTable answers={done ?? planned.answers} />
        {!done && count('pay') + count('release') > 0 && (
          <div className="mt-4">
            <Act
              label={recordText(count('pay'), count('release'))}
              title="Record the bank’s answer?"
              may="withdrawals.pay"
              tone="solid"
              verb="Record"
              run={async () => setDone(await api.call('importBankAnswers', { body: planned.body }))}
              done="Recorded"
              refreshes={REFRESHED}
            >
              <p>Each partner who was paid gets an email. What is paid cannot be undone.</p>
            </Act>
          </div>
        )}
        {!done && count('pay') + count('release') === 0 && (
          <div className="mt-3">
            <FormNotice>Nothing in it is new.</FormNotice>
          </div>
        )}
      </Notice>
    ),
  }
}
