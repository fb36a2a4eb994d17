import { SeededRandom } from '@kerf/runtime'

/**
 * The failure at a point:
 * - `crash-before`, `crash-after`: the process dies before or after a write takes effect, and another one starts.
 * - `event-delayed`: an event of a watch arrives only after Kerf's next write.
 * - `event-missed`: the watch delivers neither the event nor any later one, and then ends. Kerf lists the objects again.
 * - `answer-lost`: a call to the cloud takes effect, but Kerf receives an error.
 */
export const pointKinds = ['crash-before', 'crash-after', 'event-delayed', 'event-missed', 'answer-lost'] as const

export type PointKind = (typeof pointKinds)[number]

/** A moment at which a failure can be injected: the `index`-th write, event or answer of a story, counted from 1. */
export interface Point {
  readonly kind: PointKind
  readonly index: number
}

/** The numbers of writes, effects, events and responses in a run. */
export interface Counts {
  /** Calls to the API server and the cloud that change something. */
  readonly writes: number
  /** Writes that took effect. */
  readonly effects: number
  readonly events: number
  readonly answers: number
}

/** Formats a point as `KIND:K`, as on the command line. */
export const pointText = ({ kind, index }: Point): string => `${kind}:${index}`

/** Parses `KIND:K`. Returns undefined if the text is not a point. */
export const readPoint = (text: string): Point | undefined => {
  const [name = '', number = '', ...rest] = text.split(':')
  const kind = pointKinds.find((each) => each === name)
  return kind === undefined || rest.length > 0 || !/^[1-9]\d*$/.test(number)
    ? undefined
    : { kind, index: Number(number) }
}

const countOf = (kind: PointKind, counts: Counts): number => {
  switch (kind) {
    case 'crash-before':
      return counts.writes
    case 'crash-after':
      return counts.effects
    case 'event-delayed':
    case 'event-missed':
      return counts.events
    case 'answer-lost':
      return counts.answers
  }
}

const ofKind = (kind: PointKind, counts: Counts): readonly Point[] =>
  Array.from({ length: countOf(kind, counts) }, (_, index) => ({ kind, index: index + 1 }))

/** Returns every point of a run. */
export const listPoints = (counts: Counts): readonly Point[] => pointKinds.flatMap((kind) => ofKind(kind, counts))

/** Returns a function that selects a tenth of a story's points of each kind, rounded up. The seed determines the selection. */
export const drawTenth =
  (seed: string) =>
  (counts: Counts, story: string): readonly Point[] => {
    const random = new SeededRandom(`${seed}-${story}`)
    return pointKinds.flatMap((kind) => {
      const left = [...ofKind(kind, counts)]
      return Array.from(
        { length: Math.ceil(left.length / 10) },
        () => left.splice(Math.floor(random.next() * left.length), 1)[0],
      )
        .filter((point) => point !== undefined)
        .sort((a, b) => a.index - b.index)
    })
  }
