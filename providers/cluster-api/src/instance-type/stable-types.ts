import type { InstanceType } from '@kerf/engine'
import type { MergedTypes } from './merged-types.ts'

interface Known {
  readonly text: string
  readonly merged: MergedTypes
}

/**
 * Hands out the very same objects for as long as nothing about them changes: the engine keeps what it worked out beside a
 * list of types and beside each type.
 */
export class StableTypes {
  readonly #known = new Map<string, Known>()

  /** The types of the class of that name: those from last time where they are equal to these. */
  of(nodeClass: string, merged: MergedTypes): MergedTypes {
    const text = textOf(merged)
    const known = this.#known.get(nodeClass)
    if (known?.text === text) return known.merged
    const before = new Map(known?.merged.types.map((type) => [textOf(type), type]))
    const types = merged.types.map((type): InstanceType => before.get(textOf(type)) ?? type)
    const stable = { ...merged, types }
    this.#known.set(nodeClass, { text, merged: stable })
    return stable
  }

  /** Forgets a class that is gone. */
  forget(nodeClass: string): void {
    this.#known.delete(nodeClass)
  }
}

const textOf = (value: MergedTypes | InstanceType): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${part}n`
    return part instanceof Map ? [...part] : part
  })
