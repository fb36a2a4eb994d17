import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kerf')

/**
 * Returns the directory of a Python environment with one package in one version. Builds it once per machine, in a temporary directory that
 * is then renamed, so that concurrent tests do not interfere.
 * @param requirement in the syntax of pip, for example `moto[server]==5.2.5`
 */
export const pythonEnvironment = (requirement: string): string => {
  const place = join(cache, requirement.replaceAll(/\[.*\]/g, '').replace('==', '-'))
  const python = (directory: string): string => join(directory, 'bin', 'python')
  if (existsSync(python(place))) return place
  mkdirSync(cache, { recursive: true })
  const aside = mkdtempSync(`${place}-`)
  try {
    execFileSync('python3', ['-m', 'venv', aside], { stdio: 'ignore' })
    execFileSync(python(aside), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 10 * 60_000,
    })
    renameSync(aside, place)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    if (!existsSync(python(place))) throw error
  }
  return place
}
