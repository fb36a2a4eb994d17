// npm run sim:mutants [-- --seeds N] [--from S] [--only TEXT] [--workers W]: applies each deliberate bug, and checks that the bug's
// `caughtBy` invariant catches it. Mutants run in parallel, one thread each.
import { availableParallelism } from 'node:os'
import { programOptions, refuseOptions } from '../../../tools/program-options.ts'
import { KNOWN } from '../known.ts'
import { seedsOn } from '../runs/draw-run.ts'
import { placeMutations } from '../workers/place-mutation.ts'
import { playAll } from '../workers/pool.ts'
import type { PlacedMutation } from '../workers/task.ts'
import { allMutants } from './all-mutants.ts'
import type { Mutant } from './mutant.ts'

const { values } = programOptions(
  'npm run sim:mutants: applies each deliberate bug, and expects it to be noticed by the invariant that it names.',
  {
    options: {
      // Most mutants are caught by one of the first few seeds.
      seeds: { type: 'string', default: '2000' },
      from: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      workers: { type: 'string', default: String(Math.min(8, availableParallelism())) },
    },
  },
)

type PlacedMutant = Mutant & PlacedMutation

interface Verdict {
  readonly mutant: PlacedMutant
  /** The first seed with which the expected invariant caught the bug, with the invariant's message. */
  readonly caught: string | undefined
  /** Seeds with which the code threw a programming error, such as a TypeError. They prove nothing. */
  readonly broken: readonly string[]
  /** For each other invariant, the number of seeds for which it was the first to catch the bug. */
  readonly others: ReadonlyMap<string, number>
  readonly played: number
}

/** The number of broken seeds after which the mutant counts as broken. */
const MOST_BROKEN = 20

/** Returns up to `--seeds` seeds that can reveal the bug, starting at `--from`. */
const seedsFor = ({ cloud }: Mutant): readonly number[] =>
  seedsOn(cloud, { first: Number(values.from), count: Number(values.seeds), leavesOut: KNOWN })

const judge = async (mutant: PlacedMutant): Promise<Verdict> => {
  let caught: string | undefined
  const broken: string[] = []
  const others = new Map<string, number>()
  let played = 0
  await playAll(seedsFor(mutant), {
    workers: 1,
    mutation: mutant,
    ...(mutant.cloud === undefined ? {} : { cloud: mutant.cloud }),
    onAnswer: (answer) => {
      played++
      if (answer.kind === 'broken') {
        broken.push(`seed ${answer.seed} breaks: ${answer.message.split('\n')[0]}`)
      } else if (answer.outcome.violation !== undefined) {
        const { seed, violation } = answer.outcome
        const { invariant, problem } = violation
        if (invariant === (mutant.caughtBy ?? invariant)) caught ??= `seed ${seed}, ${invariant}: ${problem}`
        else others.set(invariant, (others.get(invariant) ?? 0) + 1)
      }
      return caught === undefined && broken.length < MOST_BROKEN ? 'go on' : 'stop'
    },
  })
  return { mutant, caught, broken, others, played }
}

const sentenceOf = ({ mutant, caught, broken, others, played }: Verdict): string => {
  const beside = [...others].map(([name, times]) => `${name} ${times} times`).join(', ')
  return [
    caught ?? `${mutant.caughtBy ?? 'everything'} held in ${played} seeds`,
    ...(beside === '' ? [] : [`caught by others first: ${beside}`]),
    ...(broken.length === 0 ? [] : [`${broken.length} seeds broke, which proves nothing: ${broken[0]}`]),
  ].join('\n            ')
}

const begun = performance.now()
const verdicts: Verdict[] = []
const queue = placeMutations(allMutants).filter(({ name, file, caughtBy }) =>
  `${name} ${file} ${caughtBy ?? ''}`.includes(values.only),
)
if (queue.length === 0)
  refuseOptions(`--only ${values.only}: no deliberate bug has that in its name, its file or its invariant`)
const seconds = (): string => ((performance.now() - begun) / 1_000).toFixed(0)

const judgeNext = async (): Promise<void> => {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const verdict = await judge(mutant)
    verdicts.push(verdict)
    process.stdout.write(
      `${verdict.caught === undefined ? 'SURVIVES' : 'caught  '}  ${mutant.name} (${mutant.file})\n            ${sentenceOf(verdict)}\n`,
    )
  }
}
await Promise.all(Array.from({ length: Number(values.workers) }, judgeNext))
const survivors = verdicts.filter(({ caught }) => caught === undefined)
process.stdout.write(
  `${verdicts.length - survivors.length} of ${verdicts.length} deliberate bugs are caught, in ${seconds()} s\n`,
)
process.exitCode = survivors.length === 0 ? 0 : 1
