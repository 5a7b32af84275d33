import type { Permission } from '@hedgerow/domain/operator-roles'
import { Button } from '@hedgerow/ui/button.tsx'
import { Eye } from '@hedgerow/ui/icons.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { type ReactNode, useState } from 'react'
import { useMay } from '#shared/session.tsx'

type PersonalProps<T> = {
  /** What stands there until it is asked for. */
  masked: ReactNode
  may: Permission
  /** Reads what is somebody's; the server records it. */
  read: () => Promise<T>
  label?: string
  children: (data: T) => ReactNode
}

/** Personal data: shown to whoever may see it and asks for it, and the look is recorded. */
export const Personal = <T,>({
  masked,
  may,
  read,
  label = 'Show personal data',
  children,
}: PersonalProps<T>) => {
  const [data, setData] = useState<T>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isAllowed = useMay()
  if (data !== undefined) return children(data)
  const open = async () => {
    setBusy(true)
    try {
      setData(await read())
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {masked}
      {problem && <Notice kind="problem">{problem}</Notice>}
      {isAllowed(may) && (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button variant="outline" busy={isBusy} onClick={() => void open()}>
            <Eye className="size-4" />
            {label}
          </Button>
          <span className="text-sm text-quiet-ink">This is recorded.</span>
        </p>
      )}
    </>
  )
}
