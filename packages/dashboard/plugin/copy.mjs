// The program of the container image: copies the plugin into Headlamp's plugin folder and replaces an older version
// there.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write('kerf-headlamp-plugin: name the plugin folder of Headlamp, for example /headlamp/plugins\n')
  process.exit(2)
}
const to = join(folder, 'kerf')
try {
  rmSync(to, { recursive: true, force: true })
  cpSync(new URL('kerf/', import.meta.url), to, { recursive: true })
  process.stdout.write(`kerf-headlamp-plugin: copied to ${to}\n`)
} catch (error) {
  process.stderr.write(
    `kerf-headlamp-plugin: cannot write ${to}: ${error.message}; mount a volume there that user ${process.getuid()} may write\n`,
  )
  process.exitCode = 1
}
