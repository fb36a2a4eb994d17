import { type PointMutant, pointMutants } from './mutants.ts'
import { playPoints } from './play-points.ts'
import { type Point, pointText } from './point.ts'

/** What became of a deliberate bug. */
export interface Verdict {
  readonly mutant: PointMutant
  /** The first point at which the named rule noticed it, and what that said. */
  readonly caught: string | undefined
  /** Why this proves nothing: the story does not hold undisturbed, or the bug could not be made. */
  readonly unfit: string | undefined
  readonly played: number
}

const judge = async (mutant: PointMutant): Promise<Verdict> => {
  let caught: string | undefined
  let unfit: string | undefined
  let played = 0
  await playPoints([mutant.story], {
    workers: 1,
    mutation: mutant,
    isWanted: ({ kind }: Point) => kind === mutant.kind,
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

const sentenceOf = ({ mutant, caught, unfit, played }: Verdict): string =>
  `${caught === undefined ? 'SURVIVES' : 'caught  '}  ${mutant.name} (${mutant.file})\n            ${caught ?? unfit ?? `${mutant.caughtBy} held at ${played} points`}`

/** Plants each deliberate bug and looks for the point that shows it. Answers whether every one was noticed. */
export const judgeMutants = async (workers: number, print: (line: string) => void): Promise<boolean> => {
  const queue = [...pointMutants]
  const verdicts: Verdict[] = []
  const judgeNext = async (): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const verdict = await judge(mutant)
      verdicts.push(verdict)
      print(sentenceOf(verdict))
    }
  }
  await Promise.all(Array.from({ length: workers }, judgeNext))
  const caught = verdicts.filter((verdict) => verdict.caught !== undefined).length
  print(`${caught} of ${verdicts.length} deliberate bugs are caught`)
  return caught === verdicts.length
}
