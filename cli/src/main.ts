import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Reading and compiling the sources is a third of a short command's time; what was compiled once is kept beside the
// dependencies. Where that cannot be written nothing is kept. Only what is imported from here on is.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/kerf', import.meta.url)))
const [{ runProgram }, { verbs }] = await Promise.all([import('./program.ts'), import('./verbs.ts')])

// A reader that goes away (`kerf … | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})

process.exitCode = await runProgram(
  verbs,
  process.argv.slice(2),
  { out: (text) => void process.stdout.write(text), err: (text) => void process.stderr.write(text) },
  process.env,
)
