import { runProgram } from './program.ts'
import { verbs } from './verbs.ts'

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
