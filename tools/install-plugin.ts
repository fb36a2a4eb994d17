// Installs the toolchain of the dashboard's plugin, which has its own lock file and is not a workspace.
import { installToolchain } from '@kerf/dashboard'

try {
  await installToolchain({ progress: (line) => process.stderr.write(`${line} …\n`) })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
