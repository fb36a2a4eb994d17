// npm run sim:mutants [-- --seeds N] [--from S] [--only TEXT] [--workers W]: applies each deliberate bug and expects it to
// be caught. Mutants are judged side by side, one thread each.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { KNOWN } from '../known.ts'
import { playAll } from '../workers/pool.ts'
import type { Answer } from '../workers/task.ts'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'

const { values } = parseArgs({
  options: {
    // As many as prove the simulator: most are caught among the first few.
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: String(Math.min(8, availableParallelism())) },
  },
})

interface Verdict {
  readonly mutant: Mutant
  readonly caught: string | undefined
  /** The bug could not be made: the file reads differently now. */
  readonly misplaced: string | undefined
  readonly played: number
}

const isMisplaced = ({ message }: Extract<Answer, { kind: 'broken' }>): boolean =>
  message.includes('the text to be changed')

const judge = async (mutant: Mutant): Promise<Verdict> => {
  let caught: string | undefined
  let misplaced: string | undefined
  let played = 0
  await playAll(
    Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.from) + index).filter(
      (seed) => !KNOWN.has(seed),
    ),
    {
      workers: 1,
      mutation: mutant,
      onAnswer: (answer) => {
        played++
        if (answer.kind === 'broken') {
          if (isMisplaced(answer)) misplaced = answer.message.split('\n')[0]
          else caught ??= `seed ${answer.seed} breaks: ${answer.message.split('\n')[0]}`
        } else if (answer.outcome.violation !== undefined) {
          const { seed, violation } = answer.outcome
          caught ??= `seed ${seed}, ${violation.invariant}: ${violation.problem}`
        }
        return caught === undefined && misplaced === undefined ? 'go on' : 'stop'
      },
    },
  )
  return { mutant, caught, misplaced, played }
}

const begun = performance.now()
const verdicts: Verdict[] = []
const queue = mutants.filter(({ name, file }) => `${name} ${file}`.includes(values.only))
const judgeNext = async (): Promise<void> => {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const verdict = await judge(mutant)
    verdicts.push(verdict)
    const { caught, misplaced, played } = verdict
    process.stdout.write(
      `${caught === undefined ? 'SURVIVES' : 'caught  '}  ${mutant.name} (${mutant.file})\n            ${caught ?? misplaced ?? `${played} seeds hold`}\n`,
    )
  }
}
await Promise.all(Array.from({ length: Number(values.workers) }, judgeNext))
const survivors = verdicts.filter(({ caught }) => caught === undefined)
process.stdout.write(
  `${verdicts.length - survivors.length} of ${verdicts.length} deliberate bugs are caught, in ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`,
)
process.exitCode = survivors.length === 0 ? 0 : 1
