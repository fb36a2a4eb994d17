// npm run simulate:exhaustive [-- --story NAME [--point KIND:K [--trace]]] [--tenth SEED] [--mutants] [--workers W]
import { availableParallelism } from 'node:os'
import { programOptions } from '../../../tools/program-options.ts'
import { judgeMutants } from './judge-mutants.ts'
import { play } from './play.ts'
import { playPoints } from './play-points.ts'
import { drawTenth, readPoint } from './point.ts'
import { Report } from './report.ts'
import { stories, storyNamed } from './stories/index.ts'

const { values } = programOptions(
  'npm run simulate:exhaustive: plays each story again for each of its moments, with a crash or a fault there.',
  {
    options: {
      story: { type: 'string' },
      point: { type: 'string' },
      tenth: { type: 'string' },
      mutants: { type: 'boolean', default: false },
      trace: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(Math.min(8, availableParallelism())) },
    },
  },
)

/** How often the progress is logged if the output is not a terminal. */
const LOG_INTERVAL = 30_000

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const refuse = (problem: string): never => {
  print(problem)
  return process.exit(2)
}

const workers = Number(values.workers)
if (!Number.isInteger(workers) || workers < 1) refuse(`--workers takes a whole number, not ${values.workers}`)

const storyOf = (name: string) => {
  try {
    return storyNamed(name)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const one = async (name: string, text: string | undefined): Promise<boolean> => {
  const point = text === undefined ? undefined : (readPoint(text) ?? refuse(`--point takes KIND:K, not ${text}`))
  const { outcome, counts } = await play(storyOf(name), point, values.trace ? print : undefined)
  const { violation, duration, claims, restarts } = outcome
  if (violation === undefined) {
    print(
      `${name} holds${text === undefined ? '' : ` with ${text}`}: ${(duration / 60_000).toFixed(0)} min of virtual time, ${claims} launches, ${restarts} restarts, ${counts.writes} writes, ${counts.events} events, ${counts.answers} answers of the cloud`,
    )
    return true
  }
  print(`${name} violates ${violation.invariant} after ${(violation.at / 1_000).toFixed(3)} s: ${violation.problem}`)
  return false
}

const many = async (names: readonly string[]): Promise<boolean> => {
  const begun = performance.now()
  const before = process.cpuUsage()
  if (values.tenth !== undefined) print(`a tenth of the points, drawn by --tenth ${values.tenth}`)
  const report = new Report(names)
  const clear = process.stderr.isTTY ? '\r\u001b[2K' : ''
  let logged = begun
  const progress = (): void => {
    const now = performance.now()
    if (!process.stderr.isTTY && now - logged < LOG_INTERVAL) return
    logged = now
    process.stderr.write(`${clear}${report.progress()}${clear === '' ? '\n' : ''}`)
  }
  await playPoints(names, {
    workers,
    ...(values.tenth === undefined ? {} : { choose: drawTenth(values.tenth) }),
    onRecorded: (story, points) => report.record(story, points),
    onAnswer: (answer) => {
      const problem = report.add(answer)
      if (problem !== undefined) print(`${clear}${problem}`)
      progress()
      return 'go on'
    },
  })
  process.stderr.write(clear)
  const { user, system } = process.cpuUsage(before)
  print(report.table())
  print(
    `${report.held} of ${report.points} points hold, in ${((performance.now() - begun) / 1_000).toFixed(0)} s, ${((user + system) / 1_000_000).toFixed(0)} s of processor time`,
  )
  return report.problems.length === 0
}

const { story, point } = values
if (story === undefined && (point !== undefined || values.trace)) refuse('--point and --trace need --story')
if (story !== undefined) storyOf(story)
const held = values.mutants
  ? await judgeMutants(workers, print)
  : story !== undefined && (point !== undefined || values.trace)
    ? await one(story, point)
    : await many(story === undefined ? stories.map(({ name }) => name) : [story])
process.exitCode = held ? 0 : 1
