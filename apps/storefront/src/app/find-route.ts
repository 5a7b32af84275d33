import { notFound, type PageRoute, routes } from '#app/routes.tsx'

const matchers = routes.map((route) => ({
  route,
  matcher: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
}))

/** The page that a path means. */
export const findRoute = (pathname: string): PageRoute =>
  matchers.find(({ matcher }) => matcher.test(pathname))?.route ?? notFound
