import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Link } from 'wouter'

/** What became of a connection whose keys the shop itself cannot open any more. */
export const Unreadable = ({ name }: { name: string }) => (
  <Notice kind="warning" title="Its keys cannot be shown any more" className="mt-4">
    A device that has <span>{name}</span> keeps working. For another device make new keys under “Manage”, or{' '}
    <Link to="/support" className="link">
      write to us
    </Link>
    .
  </Notice>
)
