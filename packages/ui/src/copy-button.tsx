import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { Copy } from '#ui/icons.tsx'
import { useToast } from '#ui/toast.tsx'

type CopyButtonProps = {
  text: string
  /** What it copies, for those who do not see what it stands beside. */
  of: string
}

/** Puts a text on the clipboard, and says whether it is there. */
export const CopyButton = ({ text, of }: CopyButtonProps) => {
  const toast = useToast()
  const copy = async () => {
    try {
      await copyText(text)
      toast(`Copied ${of}`)
    } catch {
      toast('Your browser did not let us copy. Select the text and copy it.')
    }
  }
  return (
    <Button variant="outline" aria-label={`Copy ${of}`} onClick={() => void copy()}>
      <Copy className="size-4" />
      Copy
    </Button>
  )
}
