import { placeMutations } from '../workers/place-mutation.ts'
import type { PlacedMutation } from '../workers/task.ts'
import { type PointMutant, pointMutants } from './mutants.ts'
import { playPoints } from './play-points.ts'
import { listPoints, pointText } from './point.ts'

/** The verdict on a deliberate bug. */
export interface Verdict {
  readonly mutant: PointMutant & PlacedMutation
  /** The first point (story and moment of the injected failure) at which the expected rule caught the bug, with the rule's message. */
  readonly caught: string | undefined
  /** The reason why the result proves nothing: the story fails even without an injected failure, or the bug could not be applied. */
  readonly unfit: string | undefined
  readonly played: number
}

const judge = async (mutant: Verdict['mutant']): Promise<Verdict> => {
  let caught: string | undefined
  let unfit: string | undefined
  let played = 0
  await playPoints([mutant.story], {
    workers: 1,
    mutation: mutant,
    choose: (counts) => listPoints(counts).filter(({ kind }) => kind === mutant.kind),
    onRecorded: () => {},
    onAnswer: ({ point, problem }) => {
      if (point === undefined) unfit = problem
      else {
        played++
        if (problem?.startsWith(`${mutant.caughtBy}: `)) caught = `${pointText(point)}, ${problem}`
      }
      return caught === undefined && unfit === undefined ? 'go on' : 'stop'
    },
  })
  return { mutant, caught, unfit, played }
}

const verdictLine = ({ mutant, caught, unfit, played }: Verdict): string =>
  `${caught === undefined ? 'SURVIVES' : 'caught  '}  ${mutant.name} (${mutant.file})\n            ${caught ?? unfit ?? `${mutant.caughtBy} held at ${played} points`}`

/** Applies each deliberate bug and searches for a point at which it is caught. Returns whether every bug was caught. */
export const judgeMutants = async (workers: number, print: (line: string) => void): Promise<boolean> => {
  const queue = [...placeMutations(pointMutants)]
  const verdicts: Verdict[] = []
  const judgeNext = async (): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const verdict = await judge(mutant)
      verdicts.push(verdict)
      print(verdictLine(verdict))
    }
  }
  await Promise.all(Array.from({ length: workers }, judgeNext))
  const caught = verdicts.filter((verdict) => verdict.caught !== undefined).length
  print(`${caught} of ${verdicts.length} deliberate bugs are caught`)
  return caught === verdicts.length
}
