import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const isSource = (name: string): boolean =>
  name !== 'node_modules' && !name.endsWith('.test.ts') && !name.endsWith('.vectors.tsv')

/**
 * Returns a hash of the names and contents of files and folders below `root`. Tests and their data tables are
 * excluded.
 */
export const computeFingerprint = (root: string, paths: readonly string[]): string => {
  const hash = createHash('sha256')
  const add = (path: string): void => {
    const full = join(root, path)
    let names: readonly string[]
    try {
      names = readdirSync(full).sort()
    } catch {
      hash.update(`${path}\0`).update(readFileSync(full))
      return
    }
    for (const name of names) if (isSource(name)) add(join(path, name))
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}
