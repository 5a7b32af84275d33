import { CopyButton } from '@hedgerow/ui/copy-button.tsx'

/** What is copied as it stands, whole: to be typed by nobody. `of` names it for those who do not see what it stands beside. */
export const CopyLine = ({ text, of }: { text: string; of: string }) => (
  <div className="flex flex-wrap items-start gap-2">
    <p className="min-w-0 flex-1 basis-60 rounded-field border border-line bg-paper p-3 font-mono text-sm wrap-anywhere">
      {text}
    </p>
    <CopyButton text={text} of={of} />
  </div>
)
