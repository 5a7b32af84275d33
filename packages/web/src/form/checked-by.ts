import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { FieldValues, Resolver } from 'react-hook-form'

/** A schema of the contract, by what its type says goes in and comes out. */
type Schema<In, Out> = { _zod: { input: In; output: Out } }

/** Checks a form by a schema of the contract, whose messages are the ones shown. */
export const checkedBy = <In extends FieldValues, Out>(schema: Schema<In, Out>) =>
  standardSchemaResolver(schema as never) as Resolver<In, unknown, Out>
