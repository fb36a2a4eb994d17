import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { onBorrow } from '@kerf/control-plane/borrowed'
import { CoverageOfFile } from './coverage.ts'
import { descendantSeconds, processorSeconds } from './process-costs.ts'

/** The costs of one test file in one run. */
export interface FileCost {
  /** The path relative to the repository. */
  readonly file: string
  readonly wallSeconds: number
  /** The CPU seconds of the process that ran the file. If files share a process, this counts from the end of the previous file. */
  readonly ownSeconds: number
  /** The CPU seconds of the processes that the file started. */
  readonly childSeconds: number
  /** The CPU seconds of the control planes and other programs that the file borrowed, during the loan. */
  readonly clusterSeconds: number
  /** For each product file, the first lines of the functions that ran. Recorded only if KERF_TEST_COVERAGE is set. */
  readonly covered?: Readonly<Record<string, readonly number[]>>
}

/** The folder in which to store the costs. Undefined if costs are not recorded. */
export const costDirectory: string | undefined = process.env['KERF_TEST_COSTS'] || undefined

interface Readings {
  wall: number
  own: number
  descendants: number
}

const ownSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** The processes that the file borrowed, and their CPU time at the start of the loan. */
const borrowed: { readonly ids: readonly number[]; readonly before: number }[] = []

// Count the borrowed processes until the file ends. They are not descendants of this process, because the file did not start them.
if (costDirectory !== undefined) onBorrow((ids) => borrowed.push({ ids, before: processorSeconds(ids) }))

/**
 * The readings at the end of the previous file in this process. For the first file, they are zero, so its costs include the start of the
 * process.
 */
let last: Readings = { wall: 0, own: 0, descendants: 0 }
const readings = (): Readings => ({ wall: process.uptime(), own: ownSeconds(), descendants: descendantSeconds() })

/** Starts recording. The returned function stops it and writes the costs of the file into `directory`. */
export const recordCost = (directory: string): ((path: string) => Promise<void>) => {
  const coverage = process.env['KERF_TEST_COVERAGE'] === undefined ? undefined : new CoverageOfFile()
  const started = coverage?.start()
  return async (path) => {
    await started
    const now = readings()
    const file = relative(process.cwd(), path)
    const covered = await coverage?.finish()
    const cost: FileCost = {
      file,
      wallSeconds: now.wall - last.wall,
      ownSeconds: now.own - last.own,
      childSeconds: Math.max(0, now.descendants - last.descendants),
      clusterSeconds: borrowed.splice(0).reduce((sum, { ids, before }) => sum + processorSeconds(ids) - before, 0),
      ...(covered === undefined ? {} : { covered }),
    }
    mkdirSync(directory, { recursive: true })
    const name = createHash('sha256').update(file).digest('hex').slice(0, 16)
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(cost))
    last = readings()
  }
}
