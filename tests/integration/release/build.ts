// Used by npm test and npm run release:rehearsal. Builds and installs what a rehearsal needs, unless it already exists. With --look, it
// only reports whether everything exists.
import { buildPinned, craneProgram, findPinned, haveGo, helmProgram, krewProgram } from '@kerf/control-plane'
import { findVerdaccio, installVerdaccio } from './verdaccio-install.ts'

const programs = [helmProgram, craneProgram, krewProgram]
const missing = programs.filter((program) => findPinned(program) === undefined)
const isLooking = process.argv.includes('--look')

try {
  if (missing.length > 0 && (isLooking || !haveGo())) process.exitCode = 1
  else if (isLooking) process.exitCode = findVerdaccio() === undefined ? 1 : 0
  else {
    for (const program of missing)
      await buildPinned(program, (line) => process.stdout.write(`${program.name}: ${line}\n`))
    installVerdaccio()
    process.stdout.write('rehearsal: ready\n')
  }
} catch (error) {
  process.stderr.write(`rehearsal: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
