/**
 * Node's own HTTP. An `import` of `node:http` looks at all that it exports, and so Node.js loads its `fetch` too: some 10 MiB in
 * each process.
 */
export const { Agent, createServer, request, ServerResponse } = process.getBuiltinModule('node:http')
