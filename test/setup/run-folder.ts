import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newNames } from '../leftovers/left-files.ts'

/** Whether nobody else writes files meanwhile: on a machine of their own, people edit while tests run. */
const isAlone = process.env['CI'] !== undefined

/** Files that git does not know and does not ignore; none without git. */
const untracked = (): readonly string[] => {
  if (!isAlone) return []
  const listed = spawnSync('git', ['ls-files', '--others', '--exclude-standard'], { encoding: 'utf8' })
  return listed.status === 0 ? listed.stdout.split('\n').filter(Boolean) : []
}

/** Names in the system's temporary folder. */
const systemFiles = (): readonly string[] => (isAlone ? readdirSync(tmpdir()) : [])

/**
 * Makes the folder below which each test file has its temporary folder (`leftovers.ts`). The returned function removes it
 * and, in continuous integration, rejects when tests left files in the repository or in the system's temporary folder. Several
 * test files run at once, so it cannot tell which of them did.
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
