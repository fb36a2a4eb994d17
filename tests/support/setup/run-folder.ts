import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newNames } from '../leftovers/left-files.ts'

/** Whether only the tests write files. True in CI. On a local machine, people may edit files while tests run. */
const isAlone = process.env['CI'] !== undefined

/** Returns the untracked files that git does not ignore. Returns none if git is missing. */
const untracked = (): readonly string[] => {
  if (!isAlone) return []
  const listed = spawnSync('git', ['ls-files', '--others', '--exclude-standard'], { encoding: 'utf8' })
  return listed.status === 0 ? listed.stdout.split('\n').filter(Boolean) : []
}

/** Returns the names in the system's temporary folder. */
const systemFiles = (): readonly string[] => (isAlone ? readdirSync(tmpdir()) : [])

/**
 * Creates the folder that contains the temporary folder of each test file (`leftovers.ts`). The returned function removes it. In CI, that
 * function also fails if tests left files in the repository or in the system's temporary folder. Several test files run at the same time,
 * so the message cannot identify the file that left them.
 */
export default (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-t-'))
  process.env['KERF_TEST_TMP'] = folder
  const before = { repository: untracked(), system: systemFiles() }
  return () => {
    rmSync(folder, { recursive: true, force: true })
    const left = [
      ...newNames(before.repository, untracked()),
      ...newNames(before.system, systemFiles()).map((name) => join(tmpdir(), name)),
    ]
    if (left.length > 0)
      throw new Error(`tests left files behind; remove them where they are made:\n  ${left.join('\n  ')}`)
  }
}
