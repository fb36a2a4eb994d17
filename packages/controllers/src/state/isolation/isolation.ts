import type { Milliseconds } from '@kerf/apis'
import { type Clock, defineMetrics, type Logger, type Metrics } from '@kerf/runtime'

/** How long decisions ignore an object before they try it again. If the object changes, they try it again at once. */
const TRIED_AGAIN_AFTER: Milliseconds = 300_000

export const isolationMetrics = defineMetrics({
  setAside: {
    name: 'kerf_objects_set_aside_total',
    type: 'counter',
    help: 'Objects that were ignored because reading them threw an error, by kind and reader; each version of an object counts once for each reader. The log names the object.',
    labels: ['kind', 'stage'],
  },
})

/** The part of Kerf that reads an object. It is the value of the metric label `stage`. */
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

/** An object that was set aside, so that decisions ignore it. Each version of an object is reported once. */
export interface SetAsideObject {
  readonly kind: string
  readonly stage: IsolationStage
  readonly object: object
  readonly error: unknown
  /**
   * False if the object was set aside together with other objects and may be valid. Such an object is tried again at once. Default true.
   */
  readonly isSure?: boolean
}

type IsolationDeps = { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics }

interface Known {
  readonly error: unknown
  until: Milliseconds
}

/**
 * Limits the effect of an unreadable object: an error while the object is read affects only this object. Objects of informers are
 * immutable. Therefore each version of an object is reported once, and is not read again for some time.
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

  /** Calls `listener` for each object that is set aside, once for each version and reader. Returns a function that unsubscribes it. */
  onSetAside(listener: (found: SetAsideObject) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns the result of `read`, or `otherwise` if it throws. */
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

  /** Returns the results of `read` for all objects. If `read` throws, sets the object aside and omits it from the result. */
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

  /** Returns the objects that this reader has not recently set aside. Returns the same array if it has set aside none of them. */
  sound<Item extends object>(stage: IsolationStage, objects: readonly Item[]): readonly Item[] {
    if (this.#isEmpty || !objects.some((object) => this.isSetAside(stage, object))) return objects
    return objects.filter((object) => !this.isSetAside(stage, object))
  }

  /** Whether no object has ever been set aside. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Returns whether this reader has set the object aside recently. */
  isSetAside(stage: IsolationStage, object: object): boolean {
    if (this.#isEmpty) return false
    const known = this.#known.get(object)?.get(stage)
    return known !== undefined && known.until > this.#clock.now()
  }

  /** Sets an object aside. For each version and reader, logs the object, counts it and calls the listeners only once. */
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
    this.#log.error('object ignored: it cannot be read; everything else continues without it', {
      [kind.replaceAll(' ', '')]: objectName(object),
      stage,
      error,
    })
    for (const listener of [...this.#listeners]) listener(found)
  }
}

/** Returns the namespace and name of an object, as far as they can be read. */
const objectName = (object: object): object => {
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

/** Returns the `Isolation` of the process. Callers with the same metrics share it. */
export const processIsolation = (deps: IsolationDeps): Isolation => {
  let isolation = ofProcess.get(deps.metrics)
  if (isolation === undefined) {
    isolation = new Isolation(deps)
    ofProcess.set(deps.metrics, isolation)
  }
  return isolation
}
