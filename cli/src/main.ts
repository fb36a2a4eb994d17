import { getMaxListeners, setMaxListeners } from 'node:events'
import module from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleContent } from './bundle-content.ts'

// Reading and compiling the sources is a third of a short command's time; what was compiled once is kept beside the
// dependencies. Where that cannot be written nothing is kept. Only what is imported from here on is. For a bundle,
// NODE_COMPILE_CACHE says where.
if (bundleContent === undefined)
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/kerf', import.meta.url)))
// Node 20 has no `Promise.withResolvers`, and lacks all else that is added.
if (typeof Promise.withResolvers !== 'function') await import('./older-node.ts')
// Every cache and controller waits for the one signal that ends the process. Newer Nodes know that this is no leak; Node 20 writes
// a warning about it into the screen.
if (getMaxListeners(new AbortController().signal) !== 0) setMaxListeners(0)
const [{ runProgram }, { verbs }] = await Promise.all([import('./program.ts'), import('./verbs.ts')])

// A reader that closes the pipe (`kerf … | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})

// Nobody reads standard error: not a reason to end.
process.stderr.on('error', () => {})

process.exitCode = await runProgram(
  verbs,
  process.argv.slice(2),
  { out: (text) => void process.stdout.write(text), err: (text) => void process.stderr.write(text) },
  process.env,
  // kubectl runs its plugin by this name.
  basename(process.argv[1] ?? '') === 'kubectl-kerf' ? 'kubectl kerf' : 'kerf',
)
