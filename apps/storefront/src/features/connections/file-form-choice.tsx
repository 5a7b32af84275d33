import { FILE_FORM_WORDS, type FileForm, formsFor, type Tunnel, withForm } from '@hedgerow/domain/file-form'
import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { useState } from 'react'

type FileFormChoiceProps = {
  forms: readonly FileForm[]
  onChange: (forms: readonly FileForm[]) => void
  tunnel: Tunnel
  /** The connection's. */
  name: string
}

/** Changes the code, the file and the email. Folded away: the plain file is right nearly everywhere. */
export const FileFormChoice = ({ forms, onChange, tunnel, name }: FileFormChoiceProps) => {
  // What was chosen is seen without being asked for; what is pressed later neither opens nor closes it.
  const [wasChosen] = useState(forms.length > 0)
  return (
    <details className="group mt-2 print:hidden" open={wasChosen}>
      <summary className="inline-flex min-h-11 list-none items-center gap-2 rounded-field font-semibold text-hedge hover:text-hedge-deep [&::-webkit-details-marker]:hidden">
        File options <span className="sr-only">{`for ${name}`}</span>
        <ChevronDown className="size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      {formsFor(tunnel).map((form) => (
        <Checkbox
          key={form}
          label={
            <>
              {FILE_FORM_WORDS[form].label} <span className="sr-only">{`for ${name}`}</span>
              <span className="block max-w-measure text-sm text-quiet-ink">{FILE_FORM_WORDS[form].hint}</span>
            </>
          }
          checked={forms.includes(form)}
          onChange={({ target }) => onChange(withForm(forms, form, target.checked))}
        />
      ))}
    </details>
  )
}
