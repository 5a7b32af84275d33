/**
 * What a migration may do while shops of the version before go on selling (013). A list of what is known to be safe: whatever
 * is not in it is refused, with what to do instead.
 */
type Migration = {
  /** What it says to the database, in its order. */
  statements: readonly string[]
  isOutsideTransaction: boolean
  /** It takes away what no version above its floor uses. */
  hasFloor: boolean
}

/** Without comments, texts and bodies of functions, in small letters, one statement each. */
const plainStatements = (sql: string): string[] =>
  sql
    .replace(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/"/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)

/** Parts between commas that stand in no brackets. */
const partsOf = (list: string): string[] => {
  const parts = ['']
  let depth = 0
  for (const letter of list) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}

type Rule = readonly [form: RegExp, fault: string]

/** Each is tried in turn; an action that none of them meets is safe if it is one of `SAFE_ACTIONS`. */
const COLUMN_FAULTS: readonly Rule[] = [
  [/^(?!.* default ).* not null/, 'has no default, so that the version before cannot insert any more'],
  [/ (?:primary key|unique)\b/, 'builds an index while writes are blocked: build that by itself'],
  [
    / check ?\(/,
    'is checked in every row while reads are blocked: add the check as not valid, and validate it',
  ],
  [/ stored\b| serial\b|\w*serial\b/, 'is written into every row while reads are blocked'],
  [
    / default (?!(?:now|current_timestamp|current_date)\b)[^()]*\(/,
    'may have a default of its own in every row, which is written while reads are blocked',
  ],
  [/ references .* default | default .* references /, 'is checked in every row while writes are blocked'],
]

const SAFE_ACTIONS =
  /^(?:add constraint .* (?:not valid|using index \w+)|validate constraint \w+|alter column \w+ set default .*|set \(.*\))$/

/** What a version that still uses it would miss, or trips over. */
const TAKES_AWAY =
  /^(?:drop (?:column|constraint) .*|alter column \w+ (?:set|drop) not null|alter column \w+ drop default)$/

/**
 * Null comes into these by an operator's deed alone (`ops import`), after which there is no way back to the version before, as
 * docs/importing.md says. Until then that meets none.
 */
const LOOSENED = new Set(['connections.payment_id', 'connections.customer_id'])

const isLoosened = (table: string, action: string): boolean =>
  LOOSENED.has(`${table}.${/^alter column (\w+) drop not null$/.exec(action)?.[1]}`)

const faultOfAction = (action: string, hasFloor: boolean): string | undefined => {
  if (/^add (?:column )?(?!(?:constraint|primary|unique|check|foreign|exclude)\b)\w+/.test(action))
    return COLUMN_FAULTS.find(([form]) => form.test(action))?.[1]
  if (SAFE_ACTIONS.test(action)) return undefined
  if (action.startsWith('add '))
    return 'is checked in every row while writes are blocked: add it as not valid'
  if (TAKES_AWAY.test(action))
    return hasFloor ? undefined : 'takes away what the version before uses: a later release may, with a floor'
  return 'is none of the changes that are known to be safe'
}

/** A check that gives way to another of its name, in the same statement: what old rows have stays allowed. */
const isReplaced = (action: string, all: readonly string[]): boolean => {
  const name = /^drop constraint (\w+)$/.exec(action)?.[1]
  return name !== undefined && all.some((other) => other.startsWith(`add constraint ${name} check`))
}

/** Without a table, or on one of its own: it is not used yet. A view that is replaced can only get columns at its end. */
const SAFE =
  /^(?:create (?:type|sequence|(?:or replace )?view|function|trigger|constraint trigger)\b|comment on |insert into |select )/
const TAKES_AWAY_WHOLE = /^(?:drop (?:table|index|function|trigger|view|type|sequence)\b|create or replace )/

const faultOfStatement = (
  statement: string,
  made: Set<string>,
  { isOutsideTransaction, hasFloor }: Migration,
): string | undefined => {
  const table = /^create table (?:if not exists )?(\w+)/.exec(statement)?.[1]
  const index = /^create (?:unique )?index (?:concurrently )?.*? ?on (?:only )?(\w+)/.exec(statement)?.[1]
  if (/^(?:create|drop) .*?\bindex concurrently /.test(statement))
    return isOutsideTransaction ? undefined : 'is not possible in a transaction: see buildIndex'
  if (isOutsideTransaction)
    return statement.startsWith('select ')
      ? undefined
      : 'is not undone where it is cut off: it wants a transaction'
  if (table) {
    made.add(table)
    return undefined
  }
  if (index) return made.has(index) ? undefined : 'locks its table for as long as it takes: use buildIndex'
  const [, altered = '', actions = ''] =
    /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/.exec(statement) ?? []
  if (altered) {
    if (made.has(altered)) return undefined
    const all = partsOf(actions)
    return all
      .filter((action) => !isReplaced(action, all) && !isLoosened(altered, action))
      .map((action) => faultOfAction(action, hasFloor))
      .find((fault) => fault !== undefined)
  }
  if (SAFE.test(statement)) return undefined
  if (TAKES_AWAY_WHOLE.test(statement))
    return hasFloor ? undefined : 'takes away what the version before uses: a later release may, with a floor'
  if (/^(?:update|delete|truncate|with)\b/.test(statement))
    return 'holds rows that customers wait for: let a job do it, some at a time'
  return 'is none of the changes that are known to be safe'
}

const LONGEST = 100

/** A sentence for each statement that may not be. */
export const faultsOf = (migration: Migration): string[] => {
  const made = new Set<string>()
  return migration.statements.flatMap(plainStatements).flatMap((statement) => {
    const fault = faultOfStatement(statement, made, migration)
    return fault ? [`“${statement.slice(0, LONGEST)}” ${fault}.`] : []
  })
}
