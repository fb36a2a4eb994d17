import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const pinned = fileURLToPath(new URL('verdaccio/', import.meta.url))
const FILES = ['package.json', 'package-lock.json']

/** Returns the cache folder. Like the caches of Go programs, it depends only on the pinned versions. */
const place = (): string => {
  const hash = createHash('sha256')
  for (const file of FILES) hash.update(readFileSync(join(pinned, file)))
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  return join(cache, 'kerf', 'verdaccio', hash.digest('hex').slice(0, 16))
}

/** Returns the npm registry program for rehearsals if an earlier installation is in the cache. Installs nothing. */
export const findVerdaccio = (): string | undefined => {
  const program = join(place(), 'node_modules', 'verdaccio', 'bin', 'verdaccio')
  return existsSync(program) ? program : undefined
}

/**
 * Installs the program unless it is already installed. This takes twenty seconds. It is not a dependency of Kerf, because only a rehearsal
 * needs its three hundred packages. Its install scripts do not run.
 * @throws Error if npm refuses
 */
export const installVerdaccio = (): void => {
  if (findVerdaccio() !== undefined) return
  mkdirSync(place(), { recursive: true })
  const aside = mkdtempSync(`${place()}-`)
  try {
    for (const file of FILES) cpSync(join(pinned, file), join(aside, file))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: aside,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 10 * 60_000,
    })
    rmSync(place(), { recursive: true, force: true })
    renameSync(aside, place())
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    if (findVerdaccio() === undefined) throw error
  }
}
