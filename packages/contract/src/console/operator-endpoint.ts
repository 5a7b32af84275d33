import type { Consequence, PermissionFor } from '@hedgerow/domain/consequences'
import type { Endpoint } from '../endpoint.ts'
import type { Column } from './columns.ts'
import type { OperatorFields } from './fields.ts'

/**
 * How a call is recorded: `changes` and `opens` name the command of the operator's tool that does the same, so that both
 * stand in one record by one word. `subject` is the parameter that says what it is done to; `keeps` names those fields of
 * parameters, query and body that are recorded: nothing that a person wrote, no name, no address. `masks` names those of which
 * only the beginning is recorded, where they may name a person.
 */
export type RecordedAs =
  | 'reads'
  | Readonly<{ changes: string; subject?: string; keeps?: readonly string[]; masks?: readonly string[] }>
  | Readonly<{ opens: string; subject?: string; keeps?: readonly string[]; masks?: readonly string[] }>

/** What it brings about, with a capability that may stand beside that; 'own' is for what concerns the session itself, and no token has it. */
type Stated = { [C in Consequence]: Readonly<{ consequence: C; permission: PermissionFor<C> }> }[Consequence]

/** An endpoint of the operators' listener. */
export type OperatorEndpoint = Omit<Endpoint, 'access' | 'limits'> &
  Stated &
  Readonly<{
    access: 'operator'
    record: RecordedAs
    /** A GET that a browser may follow as a link, to save what it answers. */
    isDownload?: true
    /** The command of the operator's tool, where `record` does not name it. */
    command?: string
    /** What is asked before it is done, where it cannot be undone. */
    asks?: string
    /** What the body is made of, or the query of a GET; of a list what it is filtered by. */
    fields?: OperatorFields
    /** What its reply is shown by: a row of a list, one thing, or the thing that an act was done to. */
    // biome-ignore lint/suspicious/noExplicitAny: the columns of whatever row.
    columns?: readonly Column<any>[]
    /** Said when it is done. */
    done?: string
    /** What it writes names an operator: in the tool somebody has to say who acts (--as). */
    needsOperator?: true
  }>

// @__NO_SIDE_EFFECTS__
export const operatorEndpoint = <const E extends OperatorEndpoint>(definition: E): E => definition

/** What the operator's tool calls an endpoint; undefined for those that only pages call. */
export const commandOf = ({ command, record }: OperatorEndpoint): string | undefined => {
  if (command !== undefined || record === 'reads') return command
  return 'changes' in record ? record.changes : record.opens
}
