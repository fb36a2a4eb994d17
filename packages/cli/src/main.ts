import { getMaxListeners, setMaxListeners } from 'node:events'
import module from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleContent } from './bundle-content.ts'

// Caches compiled code next to the dependencies, because reading and compiling the sources takes a third of the run time of a short
// command. If that directory is not writable, nothing is cached. The cache applies only to modules that are imported after this line. A
// bundle uses the directory in NODE_COMPILE_CACHE.
if (bundleContent === undefined)
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/kerf', import.meta.url)))

/** The exit code with which Node.js ends a program that still waits for something although its event loop is empty. */
const UNFINISHED = 13

// A bundle is also a CommonJS script, so this module must not use `await` at its top level.
const main = async (): Promise<void> => {
  // Node 20 has neither `Promise.withResolvers` nor the other features that this file adds.
  if (typeof Promise.withResolvers !== 'function') await import('./older-node.ts')
  // Every cache and controller adds a listener to the signal that stops the process. Node 20 reports that many listeners as a leak. Newer
  // versions do not.
  if (getMaxListeners(new AbortController().signal) !== 0) setMaxListeners(0)
  const [{ runProgram }, { verbs }] = await Promise.all([import('./program.ts'), import('./verbs.ts')])

  // A reader such as `head` may close the pipe early. That is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
  })

  // If nobody reads standard error, the process continues.
  process.stderr.on('error', () => {})

  process.exitCode = await runProgram(
    verbs,
    process.argv.slice(2),
    { out: (text) => void process.stdout.write(text), err: (text) => void process.stderr.write(text) },
    process.env,
    // kubectl runs its plugins under this name.
    basename(process.argv[1] ?? '') === 'kubectl-kerf' ? 'kubectl kerf' : 'kerf',
  )
}

const endUnfinished = (): void => {
  process.exitCode ??= UNFINISHED
}

process.on('exit', endUnfinished)
void main().finally(() => process.off('exit', endUnfinished))
