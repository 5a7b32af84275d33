import type { ReactNode } from 'react'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from '#ui/icons.tsx'

const KINDS = {
  info: { Icon: Info, look: 'border-line bg-blossom', mark: 'text-hedge', role: 'status' },
  done: { Icon: CircleCheck, look: 'border-line bg-hedge-tint', mark: 'text-hedge', role: 'status' },
  warning: { Icon: TriangleAlert, look: 'border-straw bg-surface', mark: 'text-straw', role: 'status' },
  problem: { Icon: CircleAlert, look: 'border-berry bg-berry-tint', mark: 'text-berry', role: 'alert' },
} as const

type NoticeProps = { kind: keyof typeof KINDS; title?: ReactNode; children?: ReactNode; className?: string }

/** A note in the page. A problem is read out at once, the others when there is time. */
export const Notice = ({ kind, title, children, className = '' }: NoticeProps) => {
  const { Icon, look, mark, role } = KINDS[kind]
  return (
    <div role={role} className={`flex gap-3 rounded-field border px-4 py-3 ${look} ${className}`}>
      <Icon className={`mt-0.5 size-5 shrink-0 ${mark}`} />
      <div className="min-w-0">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div>{children}</div>}
      </div>
    </div>
  )
}
