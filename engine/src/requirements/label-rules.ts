import { type LabelVocabulary, labels, type NodeSelectorRequirement } from '@kerf/apis'
import type { RequirementSpec } from '../instance-type.ts'
import { type Requirement, requirementOf } from './requirement.ts'
import { Requirements } from './requirements.ts'

export { labels }

/** Requirements remembered; emptied when full, so that a stream of distinct ones cannot grow it. */
const MOST_KNOWN = 50_000

/**
 * Reads requirements with what labels mean: which are well known (a node will have them although nothing says so yet), which are
 * other names of them, which pods may not ask for (`docs/spec/pending-pods.md#constants`).
 */
export class LabelRules {
  readonly vocabulary: LabelVocabulary
  readonly #known = new Map<string, Requirement | string>()
  readonly #knownPins = new Map<string, Map<string, Requirement | string>>()

  constructor(vocabulary: LabelVocabulary) {
    this.vocabulary = vocabulary
    this.isWellKnown = (key) => vocabulary.isWellKnown(key)
  }

  readonly isWellKnown: (key: string) => boolean

  keyOf(key: string): string {
    return this.vocabulary.normalize(key)
  }

  /** The label whose values are the domains of a topology key. */
  topologyLabel(key: string): string {
    return this.vocabulary.topologyLabel(key)
  }

  /** The value that is meant where `value` is written under `key`, which may be an alias. */
  valueOf(key: string, value: string): string {
    return this.vocabulary.valueOf(key, value)
  }

  /** Pods and pools may not ask for the host, nor for labels of restricted domains without a meaning for them. */
  isRestricted(key: string): boolean {
    return this.vocabulary.isRestricted(key)
  }

  /**
   * The requirement a spec stands for, under the label's canonical name; a sentence if it stands for none. Equal specs give
   * the same object, so that lists of instance types, which repeat a few requirements thousands of times, stay small.
   */
  requirement(spec: NodeSelectorRequirement | RequirementSpec): Requirement | string {
    const { values } = spec
    if (spec.operator === 'In' && values?.length === 1 && !('minValues' in spec))
      return this.#pinned(spec, values[0] ?? '')
    const minValues = 'minValues' in spec ? spec.minValues : undefined
    const text = `${spec.key}\u0000${spec.operator}\u0000${minValues ?? ''}\u0000${spec.values?.join('\u0001') ?? ''}`
    let requirement = this.#known.get(text)
    if (requirement === undefined) {
      requirement = this.#read(spec)
      if (this.#known.size >= MOST_KNOWN) this.#known.clear()
      this.#known.set(text, requirement)
    }
    return requirement
  }

  /** One label with one value, as nearly all requirements of instance types are: found without making a text. */
  #pinned(spec: NodeSelectorRequirement | RequirementSpec, value: string): Requirement | string {
    let byValue = this.#knownPins.get(spec.key)
    if (byValue === undefined) {
      if (this.#knownPins.size >= MOST_KNOWN) this.#knownPins.clear()
      byValue = new Map()
      this.#knownPins.set(spec.key, byValue)
    }
    let requirement = byValue.get(value)
    if (requirement === undefined) {
      requirement = this.#read(spec)
      if (byValue.size >= MOST_KNOWN) byValue.clear()
      byValue.set(value, requirement)
    }
    return requirement
  }

  #read(spec: NodeSelectorRequirement | RequirementSpec): Requirement | string {
    const key = this.keyOf(spec.key)
    if (this.vocabulary.isUntold(key)) return requirementOf({ key, operator: 'Exists' })
    const values = spec.values?.map((value) => this.valueOf(spec.key, value))
    return requirementOf({ ...spec, key, ...(values === undefined ? {} : { values }) })
  }

  /** All of a list together; the specs that stand for nothing are left to `onInvalid`. */
  requirements(
    specs: readonly (NodeSelectorRequirement | RequirementSpec)[],
    onInvalid: (complaint: string) => void = () => {},
  ): Requirements {
    const parsed: Requirement[] = []
    for (const spec of specs) {
      const requirement = this.requirement(spec)
      if (typeof requirement === 'string') onInvalid(requirement)
      else parsed.push(requirement)
    }
    return Requirements.of(parsed)
  }

  /** Every label pinned to its value. */
  ofLabels(labelSet: Readonly<Record<string, string>>): Requirements {
    const specs: NodeSelectorRequirement[] = []
    for (const key in labelSet) specs.push({ key, operator: 'In', values: [labelSet[key] ?? ''] })
    return this.requirements(specs)
  }

  /** What the author of an unknown label may have meant: ` (typo of "X"?)`, or nothing (2.3). */
  typoHint(key: string, known: Iterable<string>): string {
    const slash = key.indexOf('/')
    const tail = slash < 0 ? key : key.slice(slash + 1)
    for (const candidates of [this.vocabulary.wellKnown, known]) {
      for (const candidate of candidates) {
        if (candidate.includes(key) || candidate.endsWith(tail)) return ` (typo of "${candidate}"?)`
      }
    }
    return ''
  }
}
