import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', id],
    queryFn: ({ signal }) => api.call('getOrder', { params: { id }, signal }),
  })
