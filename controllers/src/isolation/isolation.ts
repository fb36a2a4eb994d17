import type { Milliseconds } from '@kerf/apis'
import { type Clock, defineMetrics, type Logger, type Metrics } from '@kerf/runtime'

/** How long an object is left out of decisions before it is tried again; a change of it is tried at once. */
const TRIED_AGAIN_AFTER: Milliseconds = 300_000

export const isolationMetrics = defineMetrics({
  setAside: {
    name: 'kerf_objects_set_aside_total',
    type: 'counter',
    help: 'Objects that were left out because something threw while they were read, by kind and by who read them; each version of an object counts once for each reader. The log names the object.',
    labels: ['kind', 'stage'],
  },
})

/** Who reads objects: the label `stage` of the metric. */
export type IsolationStage =
  | 'capacity-buffers'
  | 'consolidation'
  | 'disruption'
  | 'garbage-collection'
  | 'metrics'
  | 'node-repair'
  | 'nomination'
  | 'overlays'
  | 'provisioning'
  | 'snapshot'
  | 'state'
  | 'static-pools'
  | 'termination'

/** An object that was set aside: reported once for each version of it. */
export interface SetAsideObject {
  readonly kind: string
  readonly stage: IsolationStage
  readonly object: object
  readonly error: unknown
  /** Not if it was set aside with others: it is tried again at once. Default true. */
  readonly isSure?: boolean
}

type IsolationDeps = { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics }

interface Known {
  readonly error: unknown
  until: Milliseconds
}

/**
 * Keeps one object from stopping the others: what throws while an object is read concerns this object alone. Objects of
 * informers are never changed, so each version is reported once, and is not read again for a while.
 */
export class Isolation {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #count
  readonly #known = new WeakMap<object, Map<IsolationStage, Known>>()
  #isEmpty = true
  readonly #listeners = new Set<(found: SetAsideObject) => void>()

  constructor({ clock, log, metrics }: IsolationDeps) {
    this.#clock = clock
    this.#log = log.child('isolation')
    this.#count = isolationMetrics.register(metrics).setAside
  }

  /** Called for each object that is set aside, once for each version and reader. Returns the way to stop. */
  onSetAside(listener: (found: SetAsideObject) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What `read` returns; `otherwise` where it throws. */
  guard<Value, Otherwise>(
    kind: string,
    stage: IsolationStage,
    object: object,
    read: () => Value,
    otherwise: Otherwise,
  ): Value | Otherwise {
    try {
      return read()
    } catch (error) {
      this.report({ kind, stage, object, error })
      return otherwise
    }
  }

  /** What `read` returns for each object; an object for which it throws is set aside and left out. */
  readEach<Item extends object, Value>(
    kind: string,
    stage: IsolationStage,
    objects: Iterable<Item>,
    read: (object: Item) => Value,
  ): Value[] {
    const values: Value[] = []
    for (const object of objects) this.guard(kind, stage, object, () => void values.push(read(object)), undefined)
    return values
  }

  /** The objects that were not set aside by this reader a short while ago: the same list where none was. */
  sound<Item extends object>(stage: IsolationStage, objects: readonly Item[]): readonly Item[] {
    if (this.#isEmpty || !objects.some((object) => this.isSetAside(stage, object))) return objects
    return objects.filter((object) => !this.isSetAside(stage, object))
  }

  /** Whether nothing was ever set aside. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Whether the object was set aside by this reader a short while ago. */
  isSetAside(stage: IsolationStage, object: object): boolean {
    if (this.#isEmpty) return false
    const known = this.#known.get(object)?.get(stage)
    return known !== undefined && known.until > this.#clock.now()
  }

  /** Sets an object aside: it is named in the log, counted and told to who listens, once for each version and reader. */
  report(found: SetAsideObject): void {
    const { kind, stage, object, error, isSure = true } = found
    this.#isEmpty = false
    const until = isSure ? this.#clock.now() + TRIED_AGAIN_AFTER : 0
    const stages = this.#known.get(object) ?? new Map<IsolationStage, Known>()
    this.#known.set(object, stages)
    const known = stages.get(stage)
    if (known !== undefined) {
      known.until = until
      return
    }
    stages.set(stage, { error, until })
    this.#count.inc({ kind, stage })
    this.#log.error('object set aside: it cannot be read, and everything else goes on without it', {
      [kind.replaceAll(' ', '')]: nameOf(object),
      stage,
      error,
    })
    for (const listener of [...this.#listeners]) listener(found)
  }
}

/** `{namespace, name}` of an object as far as it can be read. */
const nameOf = (object: object): object => {
  try {
    const metadata: unknown = Reflect.get(object, 'metadata')
    const source = typeof metadata === 'object' && metadata !== null ? metadata : object
    const [namespace, name]: readonly unknown[] = [Reflect.get(source, 'namespace'), Reflect.get(source, 'name')]
    if (typeof name !== 'string') return { name: '(unknown)' }
    return typeof namespace === 'string' ? { namespace, name } : { name }
  } catch {
    return { name: '(unreadable)' }
  }
}

const ofProcess = new WeakMap<Metrics, Isolation>()

/** The one isolation of a process: whose metrics are the same, shares what was set aside. */
export const isolationOf = (deps: IsolationDeps): Isolation => {
  let isolation = ofProcess.get(deps.metrics)
  if (isolation === undefined) {
    isolation = new Isolation(deps)
    ofProcess.set(deps.metrics, isolation)
  }
  return isolation
}
