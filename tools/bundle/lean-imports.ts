import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import type { Plugin } from 'esbuild'

/**
 * The modules of undici that contain the exports for `packages/runtime/src/http-client/agents.ts`. The main module of undici would also
 * load a second `fetch`, web sockets and caches, which take a third of the memory of a small command and do not start on Node.js 20.
 */
const UNDICI_PARTS = `
export { default as Agent } from 'undici/lib/dispatcher/agent.js'
export { default as buildConnector } from 'undici/lib/core/connect.js'
export { default as Pool } from 'undici/lib/dispatcher/pool.js'
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js'
export { default as Socks5ProxyAgent } from 'undici/lib/dispatcher/socks5-proxy-agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import api from 'undici/lib/api/index.js'
Object.assign(Dispatcher.prototype, api)
`

/** Imports only the connection code of undici. */
export const leanUndici: Plugin = {
  name: 'lean-undici',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({
      path: 'undici',
      namespace: 'lean',
      pluginData: resolveDir,
    }))
    build.onLoad({ filter: /.*/, namespace: 'lean' }, ({ pluginData }) => ({
      contents: UNDICI_PARTS,
      resolveDir: String(pluginData),
    }))
  },
}

/**
 * Adds a named export to the dynamic import of https-proxy-agent in Google's HTTP client. The package is CommonJS, so esbuild would create
 * only a default export, and the client could not use a proxy.
 */
export const namedProxyAgent: Plugin = {
  name: 'named-proxy-agent',
  setup(build) {
    build.onResolve({ filter: /^https-proxy-agent$/ }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import' ? { path, namespace: 'named', pluginData: resolveDir } : undefined,
    )
    build.onLoad({ filter: /^https-proxy-agent$/, namespace: 'named' }, ({ path, pluginData }) => ({
      contents: `export { HttpsProxyAgent } from '${path}'`,
      resolveDir: String(pluginData),
    }))
  },
}

/**
 * Replaces constants in computed keys of an AWS client's schemas with their texts. esbuild must assume that computed keys have side
 * effects, so it would keep the schemas of all operations. With plain keys, it keeps only those in use.
 */
export const leanSchemas: Plugin = {
  name: 'lean-schemas',
  setup(build) {
    build.onLoad({ filter: /@aws-sdk[/\\].*[/\\]schemas_\d+\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const constants = new Map(
        [...text.matchAll(/^const (_\w+) = ("[^"]*");$/gm)].map(([, name = '', value = '']) => [name, value]),
      )
      const contents = text.replace(/\[(_\w+)\]:/g, (key, name: string) => {
        const value = constants.get(name)
        return value === undefined ? key : `${value}:`
      })
      return { contents, loader: 'js' }
    })
  },
}

/**
 * Loads modules of Node.js only when the code that imports them runs. A static `import` would be at the top of the bundle, so it would run
 * for every command and would read every export. For `node:http`, that loads Node's own copy of undici, which Kerf does not use.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
      loader: 'js',
    }))
  },
}
