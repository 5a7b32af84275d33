import { notFound, type PageRoute, routes } from '#app/routes.tsx'

// As the server reads them: capitals count, and nothing is longer than it would look for.
const matchers = routes.map((route) => ({
  route,
  matcher: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]{1,200}')}/?$`),
}))

/** The page that a path means. One that cannot be decoded means none: the server has sent the page that says so. */
export const findRoute = (pathname: string): PageRoute => {
  const named = matchers.find(({ matcher }) => matcher.test(pathname))?.route
  try {
    // The answer is used: a minifier takes the call for one without effects, and would leave it out.
    return (decodeURIComponent(pathname) && named) || notFound
  } catch {
    return notFound
  }
}
