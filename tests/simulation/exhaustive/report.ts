import type { PointResult, PointTask } from './play-points.ts'
import { type Point, type PointKind, pointKinds, pointText } from './point.ts'

/** Returns the command that repeats one point with a trace. */
const replayCommand = ({ story, point }: PointTask): string =>
  `npm run simulate:exhaustive -- --story ${story}${point === undefined ? '' : ` --point ${pointText(point)}`} --trace`

interface Sum {
  points: number
  held: number
}

type Sums = Readonly<Record<PointKind, Sum>>

const sumsOf = (points: readonly Point[]): Sums => {
  const sum = (kind: PointKind): Sum => ({ points: points.filter((point) => point.kind === kind).length, held: 0 })
  return {
    'crash-before': sum('crash-before'),
    'crash-after': sum('crash-after'),
    'event-delayed': sum('event-delayed'),
    'event-missed': sum('event-missed'),
    'answer-lost': sum('answer-lost'),
  }
}

const LAST_COLUMN = 9

/** Counts the points (the moments at which a failure is injected) by story and kind: the total number, and the number that passed. */
export class Report {
  readonly #stories: Map<string, Sums>
  #played = 0
  /** One sentence for each point that failed, and for each story that failed undisturbed. */
  readonly problems: string[] = []

  /** @param stories the names of the stories, in the order of the table's rows */
  constructor(stories: readonly string[]) {
    this.#stories = new Map(stories.map((story) => [story, sumsOf([])]))
  }

  /** Adds the points of a story to the totals. */
  record(story: string, points: readonly Point[]): void {
    this.#stories.set(story, sumsOf(points))
  }

  /** Counts a result. Returns a message if the point, or the undisturbed story, failed. */
  add(answer: PointResult): string | undefined {
    const { story, point, problem } = answer
    if (point !== undefined) this.#played++
    if (problem === undefined) {
      const sum = point === undefined ? undefined : this.#stories.get(story)?.[point.kind]
      if (sum !== undefined) sum.held++
      return undefined
    }
    const where = point === undefined ? 'undisturbed' : pointText(point)
    const text = `${story} ${where}: ${problem}\n  again: ${replayCommand(answer)}`
    this.problems.push(text)
    return text
  }

  get points(): number {
    return this.#total('points')
  }

  get held(): number {
    return this.#total('held')
  }

  /** Returns the progress in one line. */
  progress(): string {
    return `${this.#played} of ${this.points} points, ${this.#played - this.held} do not hold`
  }

  /**
   * Returns a table with one row per story and one column per kind of fault. Each cell shows how many points hold, and how many there
   * are.
   */
  table(): string {
    const title = 'held/points'
    const width = Math.max(title.length, ...[...this.#stories.keys()].map(({ length }) => length))
    const cell = (sums: readonly Sum[], length: number): string => {
      const of = (key: keyof Sum): number => sums.reduce((total, sum) => total + sum[key], 0)
      return `${of('held')}/${of('points')}`.padStart(length)
    }
    const row = (name: string, all: readonly Sums[]): string =>
      [
        name.padEnd(width),
        ...pointKinds.map((kind) =>
          cell(
            all.map((sums) => sums[kind]),
            kind.length,
          ),
        ),
        cell(
          all.flatMap((sums) => Object.values(sums)),
          LAST_COLUMN,
        ),
      ].join('  ')
    return [
      [title.padEnd(width), ...pointKinds, 'all'.padStart(LAST_COLUMN)].join('  '),
      ...[...this.#stories].map(([name, sums]) => row(name, [sums])),
      row('all', [...this.#stories.values()]),
    ].join('\n')
  }

  #total(key: keyof Sum): number {
    return [...this.#stories.values()]
      .flatMap((sums) => Object.values(sums))
      .reduce((total, sum) => total + sum[key], 0)
  }
}
