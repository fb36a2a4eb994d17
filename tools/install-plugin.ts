// Installs the toolchain of the dashboard plugin. The plugin is not a workspace, and has its own lock file.
import { installToolchain } from '@kerf/dashboard'

try {
  await installToolchain({ progress: (line) => process.stderr.write(`${line} …\n`) })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
