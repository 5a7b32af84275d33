import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { conversationsQuery } from '#features/conversations/conversations-query.ts'

/** A link to what the customer has written before, if anything. */
export const EarlierMessages = () => {
  const { data: [latest] = [] } = useQuery(conversationsQuery)
  if (!latest) return null
  return (
    <p className="mt-6">
      <Link to={`/profile?tab=profile&conversation=${latest._id}`} className="link">
        Your earlier messages
      </Link>
    </p>
  )
}
