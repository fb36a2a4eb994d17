import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import type { Plugin } from 'esbuild'

/**
 * The parts of undici behind what `runtime/src/http-client/agents.ts` names. Its main module loads a second `fetch`, web
 * sockets and caches besides, which take a third of the memory of a small command and do not start on Node 20.
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

/** Takes of undici only what connects. */
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
 * The schemas of an AWS client name the XML fields by constants in computed keys, which might do anything as far as esbuild
 * knows, so it keeps the schemas of all operations. With the constants' texts as keys it keeps those that are used.
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
 * Modules of Node are loaded when the part that imports them runs. An `import` of one stands at the top of the file, for all its
 * parts at once, and reads every export: of `node:http` that loads Node's own copy of undici, which nothing here uses.
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
