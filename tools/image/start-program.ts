// The image's kerf.mjs: runs the program in kerf.cjs with a V8 code cache. With KERF_WRITE_CODE_CACHE, writes the cache at the end of the run
// instead, with the functions that this run used.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, Script } from 'node:vm'

type Program = (require: NodeJS.Require, url: string) => void

const program = new URL('kerf.cjs', import.meta.url)
const cache = new URL('code-cache/kerf.cache', import.meta.url)
const target = process.env['KERF_WRITE_CODE_CACHE']

/** Returns the cache, or undefined if the image has none. */
const readCache = (): Buffer | undefined => {
  try {
    return readFileSync(cache)
  } catch {
    return undefined
  }
}

const cachedData = target === undefined ? readCache() : undefined
// The program is ASCII. Decoding it as UTF-8 would take longer.
const script = new Script(readFileSync(program, 'latin1'), {
  filename: fileURLToPath(program),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  ...(cachedData === undefined ? {} : { cachedData }),
})
if (script.cachedDataRejected === true && process.argv[2] === 'run') {
  const message = `V8 rejects the code cache ${fileURLToPath(cache)}, so the start takes longer. The cache is valid only for the Node.js and the NODE_OPTIONS of the image.`
  process.stderr.write(
    `${JSON.stringify({ level: 'WARN', time: new Date().toISOString(), logger: 'controller', message })}\n`,
  )
}
if (target !== undefined) {
  process.on('exit', () => {
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, script.createCachedData())
  })
}
const run = script.runInThisContext() as Program
run(createRequire(program), program.href)
