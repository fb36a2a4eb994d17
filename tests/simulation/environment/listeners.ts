import type { ApiCall, CloudCall } from '@kerf/sandbox'
import type { Listener } from './listener.ts'

/** Passes each event to every listener. Reports the termination of an instance only once. */
export class Listeners {
  readonly #all: Listener[] = []
  readonly #terminating = new Set<string>()

  add(...listeners: readonly Listener[]): void {
    this.#all.push(...listeners)
  }

  begins(call: ApiCall): void {
    for (const listener of this.#all) listener.begins?.(call)
  }

  acts(call: ApiCall): void {
    for (const listener of this.#all) listener.acts?.(call)
  }

  acted(call: ApiCall): void {
    for (const listener of this.#all) listener.acted?.(call)
  }

  cloudCall(call: CloudCall): void {
    for (const listener of this.#all) listener.cloudCall?.(call)
  }

  noticeDiscarded(instanceId: string): void {
    for (const listener of this.#all) listener.noticeDiscarded?.(instanceId)
  }

  /** Passes on the first termination request for an instance, and ignores repeated ones. */
  terminating(providerID: string): void {
    if (this.#terminating.has(providerID)) return
    this.#terminating.add(providerID)
    for (const listener of this.#all) listener.terminating?.(providerID)
  }

  remarked(line: string, topic: string): void {
    for (const listener of this.#all) listener.remarked?.(line, topic)
  }
}
