/**
 * `node tools/with-node.mjs tests/benchmarks/large/long-tasks.ts DIRECTORY`: prints the longest tasks of a run that was made with
 * `--profile DIRECTORY`. For each task, prints the functions in which it spent its time, according to V8's samples.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly lineNumber: number }
    readonly children?: readonly number[]
  }[]
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const MOST = 20
const SHOWN = 14
const [directory = '.', least = '50'] = process.argv.slice(2)
const file = readdirSync(directory).find((name) => name.endsWith('.cpuprofile'))
if (file === undefined) throw new Error(`there is no profile in ${directory}`)
const { nodes, startTime, samples, timeDeltas } = JSON.parse(readFileSync(join(directory, file), 'utf8')) as Profile
const nodeOf = new Map(nodes.map((node) => [node.id, node]))
const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))

const framesOf = (id: number): readonly string[] => {
  const frames: string[] = []
  for (let each: number | undefined = id; each !== undefined; each = parentOf.get(each)) {
    const { functionName = '', lineNumber = 0 } = nodeOf.get(each)?.callFrame ?? {}
    if (functionName !== '(root)')
      frames.push(`${functionName === '' ? '(anonymous)' : functionName}:${lineNumber + 1}`)
  }
  return frames
}

const longTasks = readFileSync(join(directory, 'loop-probe.txt'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('t '))
  .map((line) => line.split(' ').slice(1).map(Number))
  .map(([at = 0, late = 0, cpu = 0]) => ({ at, late, cpu }))
  .filter(({ cpu }) => cpu >= Number(least))
  .sort((one, other) => other.cpu - one.cpu)
  .slice(0, MOST)

const first = startTime / 1_000
for (const { at, late, cpu } of longTasks) {
  const inclusive = new Map<string, number>()
  let time = startTime
  let count = 0
  for (const [nth, id] of samples.entries()) {
    time += timeDeltas[nth] ?? 0
    const now = time / 1_000
    if (now < at - late - 10 || now > at) continue
    count++
    for (const frame of new Set(framesOf(id))) inclusive.set(frame, (inclusive.get(frame) ?? 0) + 1)
  }
  const shown = [...inclusive].sort(([, one], [, other]) => other - one).slice(0, SHOWN)
  process.stdout.write(
    `at ${((at - first) / 1_000).toFixed(1)} s: ${late.toFixed(0)} ms, ${cpu.toFixed(0)} ms of the processor\n` +
      shown.map(([frame, times]) => `    ${((100 * times) / count).toFixed(0)} % ${frame}\n`).join(''),
  )
}
