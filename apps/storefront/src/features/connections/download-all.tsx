import type { Connection } from '@hedgerow/contract/connections'
import { Button } from '@hedgerow/ui/button.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { saveFile } from '@hedgerow/web/save-file.ts'
import { useMutation } from '@tanstack/react-query'
import { connectionFile } from '#features/connections/connection-config.ts'

type DownloadAllProps = { read: () => Promise<readonly Connection[]> }

/** One file with the configurations of all these, which the WireGuard apps import at once. Made here, like each of them. */
export const DownloadAll = ({ read }: DownloadAllProps) => {
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const all = await read()
      const connections = all.filter(({ hasOwnKey }) => !hasOwnKey)
      const { zipConfigs } = await import('#features/connections/zip-configs.ts')
      const zip = zipConfigs(connections.map(connectionFile))
      saveFile('connections.zip', zip, 'application/zip')
      return all.length - connections.length
    },
    onSuccess: (left) =>
      toast(`Saved connections.zip${left > 0 ? ', without those whose key only you have' : ''}`),
    onError: () => toast('The file was not made. Reload the page and try again.'),
    // What it has made is a file of private keys: it is not kept.
    gcTime: 0,
  })
  return (
    <Button variant="outline" busy={isPending} onClick={() => mutate()}>
      Download all
    </Button>
  )
}
