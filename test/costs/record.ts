import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { onBorrow } from '@kerf/control-plane/borrowed'
import { CoverageOfFile } from './coverage.ts'
import { descendantSeconds, processorSeconds } from './process-costs.ts'

/** What one test file used in one run. */
export interface FileCost {
  /** Relative to the repository. */
  readonly file: string
  readonly wallSeconds: number
  /** Processor seconds of the file's process. In a shared process: since the previous file ended. */
  readonly ownSeconds: number
  /** Processor seconds of the processes that the file started. */
  readonly childSeconds: number
  /** Processor seconds of the control planes and other programs that it borrowed, while it had them. */
  readonly clusterSeconds: number
  /** The functions of the product that ran, by file: the lines they begin at. Only with KERF_TEST_COVERAGE. */
  readonly covered?: Readonly<Record<string, readonly number[]>>
}

/** The folder that costs are written to; undefined when nobody asked. */
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

/** What the file borrowed: the processes, and what they had used when the file got them. */
const borrowed: { readonly ids: readonly number[]; readonly before: number }[] = []

// Counted until the file ends: it borrowed these processes, and did not start them.
if (costDirectory !== undefined) onBorrow((ids) => borrowed.push({ ids, before: processorSeconds(ids) }))

/** What was used when the previous file of this process ended. The first file pays for the start of the process. */
let last: Readings = { wall: 0, own: 0, descendants: 0 }
const readings = (): Readings => ({ wall: process.uptime(), own: ownSeconds(), descendants: descendantSeconds() })

/** Starts recording; the returned function ends it and writes the cost of the file to `directory`. */
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
