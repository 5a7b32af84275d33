import type { ReactNode } from 'react'
import { useExample } from '#features/partnership/example-order.ts'
import { JoinButtons } from '#features/partnership/join-buttons.tsx'
import { LevelsTable } from '#features/partnership/levels-table.tsx'
import { PayoutRules } from '#features/partnership/payout-rules.tsx'
import { Programme, ProgrammePart, type ProgrammePath, Steps } from '#features/partnership/programme.tsx'

type ShareProgrammeProps = {
  path: ProgrammePath
  lead: string
  steps: readonly { title: string; text: ReactNode }[]
  /** What a customer has of it: 'my link'. */
  own: string
  /** What the level sets, in a sentence and in the table. */
  sets: string
  shareIs: string
  /** How it works out in money. */
  example: ReactNode
}

/** A programme that pays a share of what others buy. */
export const ShareProgramme = (props: ShareProgrammeProps) => {
  const { path, lead, steps, own, sets, shareIs, example } = props
  return (
    <Programme path={path} lead={lead}>
      <ProgrammePart title="How it works">
        <Steps steps={steps} />
      </ProgrammePart>
      <JoinButtons own={own} />
      <ProgrammePart title="Levels">
        <p>
          The number of transactions sets your level, and the level sets {sets}. You start on level 1, with no
          transactions.
        </p>
        <LevelsTable shareIs={shareIs} exampleMinor={useExample().minor} />
      </ProgrammePart>
      <ProgrammePart title="An example">
        <p>{example}</p>
      </ProgrammePart>
      <PayoutRules />
    </Programme>
  )
}
