import { formatTime } from '@kerf/apis'
import type { MethodVerdict, NodeExplanation, TerminationProgress } from '@kerf/controllers'
import { type Blocker, blockerRemedy, blockerSentence, isOutOfScope } from '@kerf/engine'
import { type Style, table } from '@kerf/provider-kit/terminal'
import { type PriceMark, perHour } from '../terminal/money.ts'
import { launchedLine } from './launched-line.ts'

/** A blocker as data and as a sentence, with the remedy. A blocker without a remedy expires, or Kerf removes it. */
interface Obstacle {
  readonly code: Blocker['code']
  readonly sentence: string
  readonly remedy?: string
  readonly blocker: Blocker
}

interface MethodDocument {
  readonly method: MethodVerdict['method']
  readonly obstacles: readonly Obstacle[]
  readonly move?: NonNullable<MethodVerdict['move']>
}

/** The termination of a deleted node: when it began, when pods are deleted by force, and what still delays it. */
interface TerminationDocument {
  readonly since: string
  readonly deadline?: string
  readonly waitsFor: readonly Obstacle[]
}

/** The output of `kerf explain node -o json`. */
export interface NodeDocument {
  readonly node: string
  readonly nodePool?: string
  readonly price?: number
  readonly underWay?: string
  /** The owners for whose expected pods Kerf launched the node, as `Kind/namespace/name`. */
  readonly launchedFor?: readonly string[]
  /**
   * Set to true if there is no record that a pod used the node: Kerf launched it for expected pods, only daemon pods are bound to it, and
   * its NodeClaim records no earlier pod. The controller may have a newer record than the NodeClaim.
   */
  readonly unused?: true
  readonly termination?: TerminationDocument
  /** Older name of `termination`. */
  readonly departure?: TerminationDocument
  /** True if a disruption method would disrupt the node now, if a command already disrupts it, or if it was deleted. */
  readonly disrupted: boolean
  /** Older name of `disrupted`. */
  readonly goes: boolean
  /** The blockers that apply to every disruption method that can disrupt the node. */
  readonly obstacles: readonly Obstacle[]
  /** The disruption methods, each with all of its blockers. */
  readonly methods: readonly MethodDocument[]
}

const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

const toObstacle = (blocker: Blocker): Obstacle => {
  const remedy = blockerRemedy(blocker)
  const sentence = capitalised(blockerSentence(blocker))
  return { code: blocker.code, sentence, ...(remedy === undefined ? {} : { remedy }), blocker }
}

/**
 * Returns the disruption methods that can apply to the node, at most one for each title. Several methods with the same title can apply only
 * if the node's NodePool is unknown. They have the same blockers, so it does not matter which one is returned.
 */
const concerned = (methods: readonly MethodVerdict[]): readonly MethodVerdict[] => {
  const left = methods.filter(({ blockers }) => !blockers.some(isOutOfScope))
  return [...new Map(left.map((verdict) => [verdict.title, verdict])).values()]
}

/**
 * Returns the blockers that prevent every disruption method. Methods can differ: if the NodeClaim has a terminationGracePeriod, drift
 * ignores pods that block the other methods.
 */
const commonBlockers = ({ blockers, methods }: NodeExplanation): ReadonlySet<Blocker> => {
  return new Set(
    blockers.filter((blocker) => concerned(methods).every((verdict) => verdict.blockers.includes(blocker))),
  )
}

const terminationDocument = ({ since, deadline, waitsFor }: TerminationProgress): TerminationDocument => ({
  since: formatTime(since),
  ...(deadline === undefined ? {} : { deadline: formatTime(deadline) }),
  waitsFor: waitsFor.map(toObstacle),
})

export const nodeDocument = (explanation: NodeExplanation): NodeDocument => {
  const { node, nodePool, price, underWay, launchedFor, isUnused, blockers, methods } = explanation
  const isUnderWay = underWay !== undefined || blockers.some(({ code }) => code === 'command.queued')
  const termination = explanation.termination === undefined ? undefined : terminationDocument(explanation.termination)
  const disrupted = isUnderWay || termination !== undefined || methods.some((verdict) => verdict.blockers.length === 0)
  return {
    node,
    ...(nodePool === undefined ? {} : { nodePool }),
    ...(price === undefined ? {} : { price }),
    ...(underWay === undefined ? {} : { underWay }),
    ...(launchedFor === undefined ? {} : { launchedFor }),
    ...(isUnused === undefined ? {} : { unused: isUnused }),
    ...(termination === undefined ? {} : { termination, departure: termination }),
    disrupted,
    goes: disrupted,
    obstacles: [...commonBlockers(explanation)].map(toObstacle),
    methods: methods.map(({ method, blockers: own, move }) => ({
      method,
      obstacles: own.map(toObstacle),
      ...(move === undefined ? {} : { move }),
    })),
  }
}

interface Row {
  readonly method: string
  readonly what: string
  readonly remedy: string
}

const savedText = (savings: number | undefined, mark: PriceMark): string =>
  savings === undefined ? 'the saving is unknown' : `saves ${perHour(savings, mark)}`

const verdictRows = (
  { title, blockers, move }: MethodVerdict,
  common: ReadonlySet<Blocker>,
  mark: PriceMark,
): readonly Row[] => {
  const own = blockers.filter((blocker) => !common.has(blocker))
  if (blockers.length === 0) {
    const what = move === undefined ? 'would disrupt it now' : `would disrupt it now: ${move.text}`
    return [{ method: title, what, remedy: move === undefined ? '' : savedText(move.savings, mark) }]
  }
  if (own.length === 0) return [{ method: title, what: 'nothing else', remedy: '' }]
  return own.map((blocker, index) => {
    const { sentence, remedy = 'no action required: this changes by itself' } = toObstacle(blocker)
    return { method: index === 0 ? title : '', what: sentence, remedy }
  })
}

const headline = ({ disrupted, node, underWay, termination }: NodeDocument): string => {
  if (termination !== undefined) {
    const { since, deadline } = termination
    const force = deadline === undefined ? '' : `; its remaining pods are deleted by ${deadline}`
    return `${node} was deleted and has been terminating since ${since}${force}`
  }
  if (underWay !== undefined) return `${node} is being disrupted: ${underWay}`
  return disrupted ? `${node} is being disrupted, or would be in the next pass` : `${node} is kept`
}

const obstacleTable = (title: string, obstacles: readonly Obstacle[], style: Style): readonly string[] => {
  if (obstacles.length === 0) return []
  const [head = '', ...rows] = table(
    obstacles,
    [
      { title, value: ({ sentence }) => sentence },
      { title: 'WHAT WOULD CHANGE IT', value: ({ remedy }) => remedy ?? 'no action required: this changes by itself' },
    ],
    style.width,
  )
  return ['', style('gray', head), ...rows]
}

/**
 * The text for an unused node. Only the controller knows which pods it plans for the node, and which earlier pods the NodeClaim does not
 * record yet.
 */
const UNUSED = [
  'No pod except daemon pods is bound to it, and its NodeClaim records no earlier pod.',
  'If the controller knows of no earlier pod either, and plans none for it, the controller deletes it.',
  'Only the annotation karpenter.sh/do-not-disrupt on the node prevents this: neither consolidateAfter nor budgets do.',
]

/** Returns the text that `kerf explain node` prints for people. */
export const nodeReport = (explanation: NodeExplanation, style: Style, mark: PriceMark = ''): string => {
  const document = nodeDocument(explanation)
  const { nodePool, price, obstacles } = document
  const about = [
    ...(nodePool === undefined ? [] : [`NodePool ${nodePool}`]),
    ...(price === undefined ? [] : [perHour(price, mark)]),
  ]
  const lines = [style('bold', headline(document)) + (about.length === 0 ? '' : `  (${about.join(', ')})`)]
  const launched = launchedLine(document.launchedFor)
  if (launched !== undefined) lines.push(launched)
  if (document.termination !== undefined) {
    const { waitsFor } = document.termination
    return `${[...lines, ...obstacleTable('TERMINATION WAITS FOR', waitsFor, style)].join('\n')}\n`
  }
  if (document.unused === true) lines.push(...UNUSED)
  lines.push(...obstacleTable('WHAT BLOCKS EVERY METHOD', obstacles, style))
  const common = commonBlockers(explanation)
  const verdicts = concerned(explanation.methods)
  const methods = verdicts.flatMap((each) => verdictRows(each, common, mark))
  // If every disruption method has only the common blockers, the table would only repeat the lines above it.
  const hasOwn = verdicts.some(({ blockers }) => blockers.length === 0 || blockers.some((each) => !common.has(each)))
  if (hasOwn) {
    const [head = '', ...rows] = table(
      methods,
      [
        { title: 'METHOD', value: ({ method }) => method },
        { title: 'WHAT BLOCKS IT', value: ({ what }) => what },
        { title: 'WHAT WOULD CHANGE IT', value: ({ remedy }) => remedy },
      ],
      style.width,
    )
    lines.push('', style('gray', head), ...rows)
  }
  return `${lines.join('\n')}\n`
}
