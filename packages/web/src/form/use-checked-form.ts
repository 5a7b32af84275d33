import type { Problem } from '@hedgerow/contract/endpoint'
import { useEffect, useRef } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type RegisterOptions,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'

/** Checks every field at each change, once all were left: a rule may be about two fields, and changing one mend the other. */
const useCheckOfAll = <In extends FieldValues, Out>(
  { subscribe, trigger }: Pick<UseFormReturn<In, unknown, Out>, 'subscribe' | 'trigger'>,
  areAllTouched: boolean,
) => {
  useEffect(() => {
    if (!areAllTouched) return
    void trigger()
    return subscribe({ formState: { values: true }, callback: () => void trigger() })
  }, [areAllTouched, subscribe, trigger])
}

/**
 * A form whose fields are checked by a schema. A field's message is shown once the field was left; when all were left,
 * everything that is still wrong is shown, so that a disabled button never stands there without a reason.
 * A form of a prerendered page has no default values: what was typed before the page's script had come is kept.
 */
export const useCheckedForm = <In extends FieldValues, Out>(
  resolver: Resolver<In, unknown, Out>,
  names: readonly Path<In>[],
  defaultValues?: DefaultValues<NoInfer<In>>,
) => {
  const form = useForm<In, unknown, Out>({
    resolver,
    mode: 'onTouched',
    ...(defaultValues ? { defaultValues } : {}),
  })
  const { errors, touchedFields, isValid, isSubmitting } = form.formState
  const isTouched = (name: Path<In>) => Boolean((touchedFields as Record<string, unknown>)[name])
  const areAllTouched = names.every(isTouched)

  useCheckOfAll(form, areAllTouched)

  const errorOf = (name: Path<In>): string | undefined => {
    const error = (errors as Record<string, { type?: string; message?: string } | undefined>)[name]
    return error && (error.type === 'server' || isTouched(name)) ? error.message : undefined
  }

  // Two presses may come before the first one is rendered: one of them is sent.
  const isUnderWay = useRef(false)

  return {
    form,
    isValid,
    isBusy: isSubmitting,
    errorOf,
    /** What a control of `ui/` needs: `<Field label="Email" {...field('username')} />`. */
    field: (name: Path<In>, options?: Pick<RegisterOptions<In>, 'onChange'>) => ({
      ...form.register(name, options),
      error: errorOf(name),
    }),
    submit: (send: (values: Out) => Promise<void>) =>
      form.handleSubmit(async (values) => {
        if (isUnderWay.current) return
        isUnderWay.current = true
        await send(values).finally(() => {
          isUnderWay.current = false
        })
      }),
    /** Shows what the server refused at its fields; false when it named none of them. */
    refuse: ({ errors: refused = [] }: Pick<Problem, 'errors'>): boolean => {
      const ours = refused.flatMap(({ path, message }) => {
        const name = names.find((candidate) => candidate === path)
        return name ? [{ name, message }] : []
      })
      for (const [position, { name, message }] of ours.entries()) {
        form.setError(name, { type: 'server', message }, { shouldFocus: position === 0 })
      }
      return ours.length > 0
    },
  }
}
