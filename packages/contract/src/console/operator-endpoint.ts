import type { Permission } from '@hedgerow/domain/operator-roles'
import type { Endpoint } from '../endpoint.ts'
import type { Column } from './columns.ts'
import type { OperatorField } from './fields.ts'

/**
 * How a call is recorded: `changes` and `opens` name the command of the operator's tool that does the same, so that both
 * stand in one record by one word. `subject` is the parameter that says what it is done to; `keeps` names those fields of
 * parameters, query and body that are recorded: nothing that a person wrote, no name, no address.
 */
export type RecordedAs =
  | 'reads'
  | Readonly<{ changes: string; subject?: string; keeps?: readonly string[] }>
  | Readonly<{ opens: string; subject?: string; keeps?: readonly string[] }>

/** An endpoint of the operators' listener. */
export type OperatorEndpoint = Omit<Endpoint, 'access' | 'limits'> &
  Readonly<{
    access: 'operator'
    /** The capability it takes; 'own' is for what concerns the session itself, and no token has it. */
    permission: Permission | 'own'
    record: RecordedAs
    /** Dangerous: whoever proved who they are longer ago than PROOF_MINUTES is asked again, and tokens are refused. */
    asksAgain?: true
    /** A GET that a browser may follow as a link, to save what it answers. */
    isDownload?: true
    /** What the operator's tool calls it, where the record does not say it. */
    command?: string
    /** What is asked before it is done, where it cannot be undone. */
    asks?: string
    /** What the body is made of. */
    fields?: Readonly<Record<string, OperatorField>>
    /** What its reply is shown by: a row of a list, one thing, or what came of an act. */
    // biome-ignore lint/suspicious/noExplicitAny: of whatever row.
    columns?: readonly Column<any>[]
    /** Said when it is done. */
    done?: string
  }>

// @__NO_SIDE_EFFECTS__
export const operatorEndpoint = <const E extends OperatorEndpoint>(definition: E): E => definition
