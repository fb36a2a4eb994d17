import type { MethodVerdict, NodeExplanation } from '@kerf/controllers'
import { type Blocker, blockerSentence, remedyOf } from '@kerf/engine'
import { perHour } from '../terminal/money.ts'
import type { Style } from '../terminal/style.ts'
import { table } from '../terminal/table.ts'

/** A reason as data, in words, and what would change it; nothing where time or Kerf does by itself. */
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

/** `kerf explain node -o json`. */
export interface NodeDocument {
  readonly node: string
  readonly nodePool?: string
  readonly price?: number
  readonly underWay?: string
  /** Whether some method would take the node now, or a command does. */
  readonly goes: boolean
  /** In the way of every method that could have to do with the node. */
  readonly obstacles: readonly Obstacle[]
  /** Each with all that is in its way. */
  readonly methods: readonly MethodDocument[]
}

const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

const obstacleOf = (blocker: Blocker): Obstacle => {
  const remedy = remedyOf(blocker)
  const sentence = capitalised(blockerSentence(blocker))
  return { code: blocker.code, sentence, ...(remedy === undefined ? {} : { remedy }), blocker }
}

/** Whether a method has nothing to do with the node by its nature: not worth a line. */
const isForeign = ({ blockers }: MethodVerdict): boolean =>
  blockers.some(({ code }) => code === 'pool.dynamic' || code === 'pool.static')

/** What keeps all of them; a terminationGracePeriod lets drift pass by pods that stop the others. */
const commonOf = ({ blockers, methods }: NodeExplanation): ReadonlySet<Blocker> => {
  const concerned = methods.filter((verdict) => !isForeign(verdict))
  return new Set(blockers.filter((blocker) => concerned.every((verdict) => verdict.blockers.includes(blocker))))
}

export const nodeDocument = (explanation: NodeExplanation): NodeDocument => {
  const { node, nodePool, price, underWay, blockers, methods } = explanation
  const isUnderWay = underWay !== undefined || blockers.some(({ code }) => code === 'command.queued')
  return {
    node,
    ...(nodePool === undefined ? {} : { nodePool }),
    ...(price === undefined ? {} : { price }),
    ...(underWay === undefined ? {} : { underWay }),
    goes: isUnderWay || methods.some((verdict) => verdict.blockers.length === 0),
    obstacles: [...commonOf(explanation)].map(obstacleOf),
    methods: methods.map(({ method, blockers: own, move }) => ({
      method,
      obstacles: own.map(obstacleOf),
      ...(move === undefined ? {} : { move }),
    })),
  }
}

const NAMES: Readonly<Record<MethodVerdict['method'], string>> = {
  emptiness: 'emptiness',
  'static-drift': 'drift',
  drift: 'drift',
  'single-node': 'consolidation',
}

interface Row {
  readonly method: string
  readonly what: string
  readonly remedy: string
}

const rowsOf = ({ method, blockers, move }: MethodVerdict, common: ReadonlySet<Blocker>): readonly Row[] => {
  const own = blockers.filter((blocker) => !common.has(blocker))
  if (blockers.length === 0) {
    const what = move === undefined ? 'would take it now' : `would take it now: ${move.text}`
    return [{ method: NAMES[method], what, remedy: move === undefined ? '' : `saves ${perHour(move.savings)}` }]
  }
  if (own.length === 0) return [{ method: NAMES[method], what: 'nothing else', remedy: '' }]
  return own.map((blocker, index) => {
    const { sentence, remedy = 'nothing: it changes by itself' } = obstacleOf(blocker)
    return { method: index === 0 ? NAMES[method] : '', what: sentence, remedy }
  })
}

const headline = ({ goes, node, underWay }: NodeDocument): string => {
  if (underWay !== undefined) return `${node} is being disrupted: ${underWay}`
  return goes ? `${node} goes: something would take it now, or takes it already` : `${node} stays`
}

/** What `kerf explain node` prints for people. */
export const nodeReport = (explanation: NodeExplanation, style: Style): string => {
  const document = nodeDocument(explanation)
  const { nodePool, price, obstacles } = document
  const about = [
    ...(nodePool === undefined ? [] : [`NodePool ${nodePool}`]),
    ...(price === undefined ? [] : [perHour(price)]),
  ]
  const lines = [style('bold', headline(document)) + (about.length === 0 ? '' : `  (${about.join(', ')})`)]
  if (obstacles.length > 0) {
    const [head = '', ...rows] = table(obstacles, [
      { title: 'IN THE WAY OF EVERY METHOD', value: ({ sentence }) => sentence },
      { title: 'WHAT WOULD CHANGE IT', value: ({ remedy }) => remedy ?? 'nothing: it changes by itself' },
    ])
    lines.push('', style('gray', head), ...rows)
  }
  const common = commonOf(explanation)
  const concerned = explanation.methods.filter((verdict) => !isForeign(verdict))
  const methods = concerned.flatMap((each) => rowsOf(each, common))
  // Of a node that no method looks at closely there is nothing more to tell.
  const hasOwn = concerned.some(({ blockers }) => blockers.length === 0 || blockers.some((each) => !common.has(each)))
  if (hasOwn) {
    const [head = '', ...rows] = table(methods, [
      { title: 'METHOD', value: ({ method }) => method },
      { title: 'WHAT IS IN THE WAY', value: ({ what }) => what },
      { title: 'WHAT WOULD CHANGE IT', value: ({ remedy }) => remedy },
    ])
    lines.push('', style('gray', head), ...rows)
  }
  return `${lines.join('\n')}\n`
}
