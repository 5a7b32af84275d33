import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import { checkedBy } from '#web/form/checked-by.ts'

/** A schema's rules, and that one of its fields was typed twice alike, which the server never learns. */
export const typedTwice = <In extends FieldValues, Out>(
  schema: Parameters<typeof checkedBy<In, Out>>[0],
  name: keyof In,
  message: string,
): Resolver<In & { repeat: string }> => {
  const rules = checkedBy(schema) as unknown as Resolver<In & { repeat: string }>
  return async (values, context, options) => {
    const { errors: refused } = await rules(values, context, options)
    const differs = values[name] === values.repeat ? {} : { repeat: { type: 'validate', message } }
    const errors = { ...refused, ...differs } as FieldErrors<In & { repeat: string }>
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }
}
