import { Columns3 } from '@hedgerow/ui/icons.tsx'
import { type ReactNode, useId, useState } from 'react'

export type ListColumn<Row> = {
  /** As the file calls it, too. */
  name: string
  title: string
  cell: (row: Row) => ReactNode
  /** The word that the list is sorted by, where it can be. */
  sort?: string
  isNumber?: boolean
  /** Its value names the row, and leads to its page. */
  isName?: boolean
  /** To be chosen by those who want it. */
  isExtra?: boolean
  /** What can be done about the row: always there, and not in the file. */
  isAct?: boolean
  /** A second line below the name. */
  below?: (row: Row) => ReactNode
  /**
   * On a phone a row has two lines. 'lead' ends the first (else the first number does), 'titled' stands in the second with
   * its title, 'hidden' nowhere; all others stand in the second.
   */
  onPhone?: 'lead' | 'titled' | 'hidden'
}

/** Beside the filters: what is done with the list as a whole. */
export const LIST_TOOL =
  'inline-flex min-h-12 items-center gap-2 rounded-field px-3 font-semibold text-hedge hover:bg-hedge-tint'

type Shown = Readonly<Record<string, boolean>>

/** Which columns an operator has chosen in this browser. */
export const useChosenColumns = <Row,>(list: string, columns: readonly ListColumn<Row>[]) => {
  const key = `columns of ${list}`
  const [chosen, setChosen] = useState<Shown>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '') as Shown
    } catch {
      return Object.fromEntries(columns.map(({ name, isExtra }) => [name, !isExtra]))
    }
  })
  const choose = (name: string, isShown: boolean) => {
    const next = { ...chosen, ...Object.fromEntries([[name, isShown]]) }
    localStorage.setItem(key, JSON.stringify(next))
    setChosen(next)
  }
  return { shown: columns.filter(({ name }) => chosen[name] !== false), choose }
}

type ChooserProps<Row> = {
  columns: readonly ListColumn<Row>[]
  shown: readonly ListColumn<Row>[]
  onChoose: (name: string, isShown: boolean) => void
}

export const ColumnChooser = <Row,>({ columns, shown, onChoose }: ChooserProps<Row>) => {
  const id = useId()
  return (
    <>
      <button type="button" popoverTarget={id} className={LIST_TOOL}>
        <Columns3 className="size-4" />
        Columns
      </button>
      <div id={id} popover="auto" className="menu menu-end p-3">
        <fieldset>
          <legend className="mb-1 text-sm text-quiet-ink">Columns shown</legend>
          {columns
            .filter(({ isAct }) => !isAct)
            .map((column) => (
              <label key={column.name} className="flex min-h-9 items-center gap-2">
                <input
                  type="checkbox"
                  className="check"
                  checked={shown.includes(column)}
                  disabled={column.isName}
                  onChange={(event) => onChoose(column.name, event.target.checked)}
                />
                {column.title}
              </label>
            ))}
        </fieldset>
      </div>
    </>
  )
}
