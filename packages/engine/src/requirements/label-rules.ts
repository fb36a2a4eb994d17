import { type LabelVocabulary, labels, type NodeSelectorRequirement } from '@kerf/apis'
import type { RequirementSpec } from '../instance-type.ts'
import { parseRequirement, type Requirement } from './requirement.ts'
import { Requirements } from './requirements.ts'

export { labels }

/** The maximum number of cached requirements. The cache is cleared when it is full, so that it cannot grow without limit. */
const MOST_KNOWN = 50_000

/**
 * Reads requirements and classifies labels (`docs/spec/pending-pods.md#constants`): well-known labels, which a node will have even if
 * nothing sets them yet, aliases, and labels that pods must not require.
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

  /** Returns the label whose values are the domains of a topology key. */
  topologyLabel(key: string): string {
    return this.vocabulary.topologyLabel(key)
  }

  /** Returns the canonical form of `value` under `key`, which may be an alias. */
  valueOf(key: string, value: string): string {
    return this.vocabulary.valueOf(key, value)
  }

  /**
   * Returns whether pods and pools must not require a label. This applies to the hostname, and to labels of restricted domains that have no
   * known meaning.
   */
  isRestricted(key: string): boolean {
    return this.vocabulary.isRestricted(key)
  }

  /**
   * Returns a spec's requirement under the label's canonical name, or an error message if the spec is invalid. Equal specs return the same
   * object, which saves memory: lists of instance types repeat a few requirements thousands of times.
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

  /**
   * Reads a requirement that allows exactly one value, without building a string as the cache key. Nearly all requirements of instance
   * types have this form.
   */
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
    if (this.vocabulary.isUntold(key)) return parseRequirement({ key, operator: 'Exists' })
    const values = spec.values?.map((value) => this.valueOf(spec.key, value))
    return parseRequirement({ ...spec, key, ...(values === undefined ? {} : { values }) })
  }

  /** Returns the merged requirements of a list. Invalid specs are reported to `onInvalid` and left out. */
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

  /** Returns requirements that fix every label to its value. */
  ofLabels(labelSet: Readonly<Record<string, string>>): Requirements {
    const specs: NodeSelectorRequirement[] = []
    for (const key in labelSet) specs.push({ key, operator: 'In', values: [labelSet[key] ?? ''] })
    return this.requirements(specs)
  }

  /** Returns a suggestion for an unknown label, such as ` (typo of "X"?)`; empty if no similar label is known. */
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
