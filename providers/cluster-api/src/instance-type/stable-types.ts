import type { InstanceType } from '@kerf/engine'
import type { MergedTypes } from './merged-types.ts'

interface Known {
  readonly text: string
  readonly merged: MergedTypes
}

/**
 * Returns the previous objects as long as their content has not changed, because the engine caches results by the identity of an instance
 * type and of a list of types.
 */
export class StableTypes {
  readonly #known = new Map<string, Known>()

  /** Returns the types of the node class with this name. Types that equal the previous ones are the previous objects. */
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

  /** Removes a deleted class. */
  forget(nodeClass: string): void {
    this.#known.delete(nodeClass)
  }
}

const textOf = (value: MergedTypes | InstanceType): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${part}n`
    return part instanceof Map ? [...part] : part
  })
