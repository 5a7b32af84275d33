import { dataFileName } from '@hedgerow/domain/data-file'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { isDeclined } from '@hedgerow/web/is-declined.ts'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { saveFile } from '@hedgerow/web/save-file.ts'
import { useMutation } from '@tanstack/react-query'
import { api } from '#lib/api.ts'
import { brand } from '#shared/brand.ts'

/** For people to read, too. */
const asText = (data: unknown) => `${JSON.stringify(data, null, 2)}\n`

export const DownloadData = () => {
  const { mutate, isPending, error } = useMutation({
    // The configurations in it hold private keys: nothing is remembered of it.
    gcTime: 0,
    mutationFn: async () => {
      const data = await api.call('exportAccount', {})
      saveFile(dataFileName(brand.name), asText(data), 'application/json')
    },
  })
  return (
    <>
      {error && !isPending && !isDeclined(error) && (
        <Notice kind="problem" title="Your data was not downloaded" className="mb-4">
          {messageOf(error)}
        </Notice>
      )}
      <Button variant="outline" busy={isPending} onClick={() => mutate()}>
        Download my data
      </Button>
    </>
  )
}
