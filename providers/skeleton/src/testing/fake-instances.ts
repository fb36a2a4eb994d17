import { formatTime, type Milliseconds } from '@kerf/apis'
import type { CloudCallName, FailureKind } from '@kerf/provider-contract/conformance'
import type { Clock } from '@kerf/runtime'
import { type Instance, NoSuchInstanceError, type SkeletonCalls } from '../skeleton-calls.ts'

interface Kept extends Instance {
  readonly stoppedAt?: Milliseconds
}

export const STOPPING: Milliseconds = 4_000

/** The cloud in memory. Instances take time to stop. Tests can make calls fail. */
export class FakeInstances implements SkeletonCalls {
  readonly #clock: Clock
  readonly #instances = new Map<string, Kept>()
  readonly failing = new Map<CloudCallName, FailureKind>()
  readonly calls: CloudCallName[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async describe(id: string, signal: AbortSignal): Promise<Instance> {
    this.#call('describe', signal)
    return this.#known(id)
  }

  async list([key, value]: readonly [string, string], signal: AbortSignal): Promise<readonly Instance[]> {
    this.#call('list', signal)
    return this.all().filter(({ tags }) => tags[key] === value)
  }

  async stop(id: string, signal: AbortSignal): Promise<void> {
    this.#call('terminate', signal)
    this.#instances.set(id, { ...this.#known(id), state: 'stopping', stoppedAt: this.#clock.now() })
  }

  put(instance: Pick<Instance, 'type' | 'zone' | 'tags'>, age: Milliseconds): Instance {
    const id = `i-${this.#instances.size + 1}`
    const kept: Kept = { ...instance, id, state: 'running', createdAt: formatTime(this.#clock.now() - age) }
    this.#instances.set(id, kept)
    return kept
  }

  /** Removes the instance, as another user would. */
  remove(id: string): void {
    this.#instances.delete(id)
  }

  /** Returns the existing instances. A stopped instance is gone. */
  all(): readonly Kept[] {
    const now = this.#clock.now()
    return [...this.#instances.values()].filter(({ stoppedAt = now }) => now < stoppedAt + STOPPING)
  }

  #known(id: string): Kept {
    const instance = this.all().find((each) => each.id === id)
    if (instance === undefined) throw new NoSuchInstanceError(`there is no instance ${id}`)
    return instance
  }

  #call(call: CloudCallName, signal: AbortSignal): void {
    signal.throwIfAborted()
    this.calls.push(call)
    const kind = this.failing.get(call)
    if (kind !== undefined) throw new Error(`the cloud failed to ${call}: ${kind}`)
  }
}
